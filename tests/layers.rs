//! The layers of the crate: no file names a module of a layer above its own, or one that it must not use.

use std::fs;
use std::path::{Path, PathBuf};

/// Each module of the crate with the other modules that it may name.
const LAYERS: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("store", &["core"]),
    ("search", &["core"]),
    ("games", &["core", "store"]),
    ("engine", &["core", "search"]),
    ("registry", &["core", "engine", "games"]),
    // The checker does not use the search.
    ("certificate", &["core", "store", "registry"]),
    ("bench", &["core", "search", "engine", "registry"]),
    ("book", &["core", "store", "search", "engine", "registry"]),
    ("tables", &["core", "store", "search", "engine", "registry"]),
    ("batch", &["core", "store", "search", "engine", "registry", "tables"]),
    // The views of a tree do not depend on its search.
    ("views", &["core", "engine"]),
    ("rote_learning", &["core", "store", "search", "engine", "registry", "tables"]),
    ("protocol", &["core", "search", "engine", "registry", "book", "tables", "rote_learning", "bench", "views"]),
    ("client", &["core", "search", "engine", "registry", "tables", "bench", "protocol"]),
    ("arena", &["core", "store", "search", "engine", "registry", "tables", "bench", "protocol", "client"]),
    (
        "lab",
        &["core", "store", "search", "engine", "games", "registry", "tables", "bench", "protocol", "client", "arena"],
    ),
    (
        "cli",
        &[
            "core",
            "store",
            "search",
            "engine",
            "registry",
            "book",
            "certificate",
            "tables",
            "bench",
            "views",
            "protocol",
            "client",
            "arena",
            "lab",
        ],
    ),
    (
        "python",
        &[
            "core",
            "store",
            "search",
            "engine",
            "registry",
            "certificate",
            "tables",
            "batch",
            "bench",
            "views",
            "protocol",
            "client",
            "arena",
            "lab",
            // The command line of the wheel.
            "cli",
        ],
    ),
];

/// A module of the crate named in a file, with the line.
#[derive(Debug, PartialEq)]
struct Mention {
    line: usize,
    module: String,
}

/// Returns the source without comments, strings and character literals, as words and punctuation with their lines.
fn tokens(source: &str) -> Vec<(usize, String)> {
    let text: Vec<char> = source.chars().collect();
    let at = |index: usize| text.get(index).copied().unwrap_or('\n');
    let (mut tokens, mut index, mut line) = (Vec::new(), 0, 1);
    while index < text.len() {
        let start = index;
        match (text[index], at(index + 1)) {
            ('/', '/') => index += text[index..].iter().take_while(|&&c| c != '\n').count(),
            ('/', '*') => {
                let mut depth = 1;
                index += 2;
                while depth > 0 && index < text.len() {
                    match (text[index], at(index + 1)) {
                        ('/', '*') => depth += 1,
                        ('*', '/') => depth -= 1,
                        _ => {
                            index += 1;
                            continue;
                        }
                    }
                    index += 2;
                }
            }
            ('r', '"' | '#') if raw_string(&text[index..]).is_some() => {
                index += raw_string(&text[index..]).unwrap_or(1)
            }
            ('"', _) => {
                index += 1;
                while index < text.len() && text[index] != '"' {
                    index += if text[index] == '\\' { 2 } else { 1 };
                }
                index += 1;
            }
            ('\'', '\\') => index += 3 + text[index + 3..].iter().take_while(|&&c| c != '\'').count(),
            ('\'', _) if at(index + 2) == '\'' => index += 3,
            (':', ':') => {
                tokens.push((line, "::".into()));
                index += 2;
            }
            (c, _) if c.is_alphanumeric() || c == '_' => {
                let word: String = text[index..].iter().take_while(|&&c| c.is_alphanumeric() || c == '_').collect();
                index += word.chars().count();
                tokens.push((line, word));
            }
            (c, _) => {
                if !c.is_whitespace() {
                    tokens.push((line, c.into()));
                }
                index += 1;
            }
        }
        line += text[start..index.min(text.len())].iter().filter(|&&c| c == '\n').count();
    }
    tokens
}

/// Returns the length of the raw string that a text begins with.
fn raw_string(text: &[char]) -> Option<usize> {
    let hashes = text[1..].iter().take_while(|&&c| c == '#').count();
    if text.get(1 + hashes) != Some(&'"') {
        return None;
    }
    let body = &text[2 + hashes..];
    let ends =
        |at: &usize| body[*at] == '"' && body[*at + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes;
    (0..body.len()).find(ends).map(|at| 2 + hashes + at + 1 + hashes)
}

/// Returns the modules of the crate that a file names by `crate::` or by `super::`; `home` is the path of the file's
/// own module. A group at the root (`crate::{core, search}`) names each of its members.
fn mentions(source: &str, home: &[&str]) -> Vec<Mention> {
    let tokens = tokens(source);
    let word = |index: usize| tokens.get(index).map_or("", |(_, word)| word.as_str());
    let mut found = Vec::new();
    // Inline modules of the file, each with the brace depth at which it ends.
    let (mut inner, mut depth) = (Vec::<usize>::new(), 0);
    for index in 0..tokens.len() {
        match word(index) {
            "{" => {
                depth += 1;
                if index >= 2 && word(index - 2) == "mod" {
                    inner.push(depth);
                }
            }
            "}" => {
                if inner.last() == Some(&depth) {
                    inner.pop();
                }
                depth -= 1;
            }
            first @ ("crate" | "super") if word(index + 1) == "::" && (index == 0 || word(index - 1) != "::") => {
                let mut next = index;
                let mut climbed = 0;
                while word(next) == "super" && word(next + 1) == "::" {
                    climbed += 1;
                    next += 2;
                }
                if first == "crate" {
                    next += 2;
                } else if climbed < home.len() + inner.len() {
                    // The path stays within a module of the root, which is the one that is named.
                    let module = home.first().copied().unwrap_or(word(next)).to_owned();
                    found.push(Mention { line: tokens[index].0, module });
                    continue;
                }
                for module in members(&tokens[next..]) {
                    found.push(Mention { line: tokens[index].0, module });
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns the first word of a path, or of each path of a group.
fn members(tokens: &[(usize, String)]) -> Vec<String> {
    if tokens.first().is_none_or(|(_, word)| word != "{") {
        return tokens.first().map(|(_, word)| word.clone()).into_iter().collect();
    }
    let (mut depth, mut members) = (0, Vec::new());
    for pair in tokens.windows(2) {
        match pair[0].1.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && ["{", ","].contains(&pair[0].1.as_str()) && pair[1].1 != "}" {
            members.push(pair[1].1.clone());
        }
    }
    members
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

#[test]
fn no_module_names_a_layer_above_its_own() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for file in files(&source) {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(&source).unwrap();
        let home = module(name);
        if home == ["main"] {
            continue;
        }
        let outside = tokens(&text).windows(2).any(|pair| pair[0].1 == "secateur" && pair[1].1 == "::");
        if outside {
            wrong.push(format!("{}: names the crate from outside", name.display()));
        }
        if home == ["lib"] {
            continue;
        }
        let Some((_, allowed)) = LAYERS.iter().find(|(floor, _)| *floor == home[0]) else {
            wrong.push(format!("{}: it has no layer in tests/layers.rs", name.display()));
            continue;
        };
        let parts: Vec<&str> = home.iter().map(String::as_str).collect();
        for Mention { line, module } in mentions(&text, &parts) {
            seen += 1;
            if module != home[0] && !allowed.contains(&module.as_str()) {
                wrong.push(format!("{}:{line}: {} may not name {module}", name.display(), home[0]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 50, "only {seen} paths found");
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
    assert!(of("pub(crate) fn f() {} pub(super) fn g() {}", &["core"]).is_empty());
    let found = mentions("\n\nuse crate::core;", &["games"]);
    assert_eq!(found, [Mention { line: 3, module: "core".into() }]);
}
