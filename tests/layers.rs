//! The layers of the crate: no file names a module of a layer above its own, or one that it must not use.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each module of the core crate with the other modules that it names, all of them from rows above.
const CORE: &[(&str, &str)] = &[
    ("core", ""),
    ("util", "core"),
    ("store", "core util"),
    ("search", "core util"),
    ("endgame", "core util store"),
    ("network", "core util store"),
    ("games", "core util store endgame network"),
    ("engine", "core util search"),
    ("literature", "core util search engine"),
    ("registry", "core util engine games"),
    // The checker does not use the search.
    ("certificate", "core util store registry"),
    ("pgn", "core engine registry store"),
    ("bench", "core search registry"),
    ("tables", "core store search engine registry"),
    ("batch", "core util store search engine registry tables"),
    ("book", "core util store search engine registry batch"),
    // The views of a tree do not depend on its search.
    ("views", "core util engine"),
    ("annotate", "core search engine registry pgn views"),
    ("rote_learning", "core util store search engine tables"),
    ("opponent", "core util search engine registry book"),
    ("protocol", "core util store search engine registry book tables rote_learning opponent bench views"),
];

/// The same for the tools. The compiler checks that nothing below names them.
const TOOLS: &[(&str, &str)] = &[
    ("client", ""),
    ("arena", "client"),
    ("report", "arena"),
    ("numbers", "arena"),
    ("lab", "client arena numbers"),
    ("cli", "client arena report numbers lab"),
];

/// The same for the extension module.
const PYTHON: &[(&str, &str)] = &[
    ("error", ""),
    ("threads", "error"),
    ("python_modules", ""),
    ("progress", "error threads"),
    ("arguments", "error threads python_modules"),
    ("score", "python_modules arguments"),
    ("outcome", "arguments"),
    ("python_game", "error threads outcome"),
    ("position", "error threads python_modules progress arguments outcome python_game"),
    ("command", "threads arguments position"),
    ("results", "error threads python_modules arguments score position"),
    ("analyser", "error threads python_modules arguments position results"),
    ("book", "error threads progress arguments position results"),
    ("engine", "error threads python_modules progress arguments position results analyser book"),
    ("uci", "error threads python_modules arguments results analyser"),
    ("batch", "error threads python_modules progress arguments position results"),
    ("compare", "error progress arguments python_game position batch"),
    ("matches", "error threads arguments python_game position results uci"),
    ("selfplay", "error threads arguments position"),
    ("network", "error threads arguments position"),
    ("widget", ""),
    ("exit", "threads uci"),
];

/// A module of the crate named in a file, with the line.
#[derive(Debug, PartialEq)]
struct Mention {
    line: usize,
    module: String,
}

/// Returns the modules of the crate that a file names by `crate::` or by `super::`, macros included; `home` is the path
/// of the file's own module. A group at the root (`crate::{core, search}`) names each of its members,
fn mentions(source: &str, home: &[&str]) -> Vec<Mention> {
    let mut found = Vec::new();
    walk(source.parse().unwrap(), home, home.len(), &mut found);
    found
}

/// Finds the mentions in a module `depth` below the root of the crate.
fn walk(tokens: TokenStream, home: &[&str], depth: usize, found: &mut Vec<Mention>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |index: usize, word: &str| tokens.get(index).is_some_and(|token| token.to_string() == word);
    let separates = |index: usize| is(index, ":") && is(index + 1, ":");
    for (index, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            let inline = group.delimiter() == Delimiter::Brace && index >= 2 && is(index - 2, "mod");
            walk(group.stream(), home, depth + usize::from(inline), found);
        }
        let first = token.to_string();
        let follows = first == "super" && index >= 2 && separates(index - 2);
        if follows || !separates(index + 1) {
            continue;
        }
        // A path separator is two tokens.
        let climbed = (0..).take_while(|step| is(index + 3 * step, "super") && separates(index + 3 * step + 1)).count();
        let modules = match first.as_str() {
            "crate" => members(tokens.get(index + 3)),
            "super" if climbed == depth => members(tokens.get(index + 3 * climbed)),
            // The path stays within a module of the root.
            "super" => home.first().map(|&module| module.to_owned()).into_iter().collect(),
            _ => continue,
        };
        let line = token.span().start().line;
        found.extend(modules.into_iter().map(|module| Mention { line, module }));
    }
}

/// Returns the first word of the rest of a path, or of each path of a group.
fn members(rest: Option<&TokenTree>) -> Vec<String> {
    let Some(TokenTree::Group(group)) = rest else { return rest.map(ToString::to_string).into_iter().collect() };
    let tokens: Vec<String> = group.stream().into_iter().map(|token| token.to_string()).collect();
    let begins = |index: &usize| *index == 0 || tokens[index - 1] == ",";
    (0..tokens.len()).filter(begins).map(|index| tokens[index].clone()).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// Returns the path of a file's module: `games/kalah/mod.rs` is `games::kalah`.
fn module(file: &Path) -> Vec<String> {
    let mut parts: Vec<String> = file.with_extension("").iter().map(|part| part.to_string_lossy().into()).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// Describes each mention in a package that its layers do not allow, and each permission that nothing uses.
fn violations(package: &str, layers: &[(&str, &str)]) -> Vec<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(package).join("src");
    let (mut wrong, mut seen) = (Vec::new(), BTreeSet::new());
    for file in files(&source) {
        let name = file.strip_prefix(&source).unwrap();
        let home = module(name);
        if home == ["main"] || home == ["lib"] {
            continue;
        }
        let Some((layer, allowed)) = layers.iter().find(|(layer, _)| *layer == home[0]) else {
            wrong.push(format!("{}: it has no layer in tests/layers.rs", name.display()));
            continue;
        };
        let parts: Vec<&str> = home.iter().map(String::as_str).collect();
        for Mention { line, module } in mentions(&fs::read_to_string(&file).unwrap(), &parts) {
            if module != *layer && !allowed.split(' ').any(|below| below == module) {
                wrong.push(format!("{}:{line}: {layer} may not name {module}", name.display()));
            }
            seen.insert((*layer, module));
        }
    }
    for (layer, allowed) in layers {
        for below in allowed.split_whitespace().filter(|below| !seen.contains(&(*layer, (*below).to_owned()))) {
            wrong.push(format!("{layer} does not name {below} any more: remove it from tests/layers.rs"));
        }
    }
    wrong
}

#[test]
fn no_module_names_a_layer_above_its_own() {
    let wrong = [violations("", CORE), violations("tools", TOOLS), violations("python", PYTHON)].concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn layers_are_in_order() {
    for layers in [CORE, TOOLS, PYTHON] {
        for (row, (layer, allowed)) in layers.iter().enumerate() {
            for below in allowed.split_whitespace() {
                assert!(layers[..row].iter().any(|(above, _)| *above == below), "{below} is not above {layer}");
            }
        }
    }
}

#[test]
fn module_paths_are_parsed() {
    let of =
        |source: &str, home: &[&str]| mentions(source, home).into_iter().map(|found| found.module).collect::<Vec<_>>();
    assert_eq!(of("use crate::core::{Score, score::UNIT};", &["search", "node"]), ["core"]);
    assert_eq!(
        of("use crate::{\n core::{Side, Score}, search, games::kalah as k,\n};", &["engine"]),
        ["core", "search", "games"]
    );
    assert_eq!(of("fn f() { crate::games::nim::x(); }", &["search"]), ["games"]);
    assert_eq!(of("use super::table::Table;", &["search", "node"]), ["search"]);
    assert_eq!(of("use super::super::games::nim;", &["search", "node"]), ["games"]);
    assert_eq!(of("use super::{games, core};", &["engine"]), ["games", "core"]);
    assert_eq!(
        of("mod tests { use super::super::games; use super::*; } use super::core;", &["engine"]),
        ["games", "engine", "core"]
    );
    assert_eq!(of("mod tests { use super::*; } mod more { use super::x; }", &["games", "nim"]), ["games", "games"]);
    assert!(
        of("// crate::arena\n/* super::arena */ let x = \"crate::arena\"; let y = r#\"crate::cli\"#;", &["core"])
            .is_empty()
    );
    assert_eq!(of("let c = '\"'; let d = '\\''; use crate::cli; fn f<'a>(x: &'a str) {}", &["core"]), ["cli"]);
    assert_eq!(of("fn f() { assert!(x == crate::cli::y(), \"{}\", super::z); }", &["core"]), ["cli", "z"]);
    assert!(of("pub(crate) fn f() {} pub(super) fn g() {}", &["core"]).is_empty());
    let found = mentions("\n\nuse crate::core;", &["games"]);
    assert_eq!(found, [Mention { line: 3, module: "core".into() }]);
}

/// A reader who looks up a name finds what it means here.
#[test]
fn at_most_two_types_of_a_package_have_the_same_name() {
    for package in ["src", "tools/src", "kgp/src", "python/src", "web/wasm/src"] {
        let mut found: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
        for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(package)) {
            let source: TokenStream = fs::read_to_string(&file).unwrap().parse().unwrap();
            let tokens: Vec<String> = source.into_iter().map(|token| token.to_string()).collect();
            for pair in tokens.windows(2) {
                if ["struct", "enum", "trait", "union", "type"].contains(&&*pair[0]) {
                    found.entry(pair[1].clone()).or_default().insert(file.clone());
                }
            }
        }
        assert!(found.len() > 5, "{package}");
        found.retain(|_, files| files.len() > 2);
        assert!(found.is_empty(), "{found:#?}");
    }
}
