//! The life of `go depth 12` in `src/lib.rs`: the files exist, and each function that is named is called by one named
//! before. Only names are compared: a call of another function with the same name counts too.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::fs;
use std::path::Path;

/// The most files on the way from a line of the protocol to the first node.
const MOST_FILES: usize = 10;

/// Returns the steps: a file and the functions named in it, in order.
fn steps(essay: &str) -> Vec<(String, Vec<String>)> {
    let life = essay.split("# The life of `go depth 12`").nth(1).unwrap().split("//!\n//! A report").next().unwrap();
    let mut steps = Vec::new();
    for line in life.lines().map(|line| line.trim_start_matches("//! ")) {
        let mut names = line.split('`').skip(1).step_by(2).map(ToOwned::to_owned);
        if line.starts_with(|c: char| c.is_ascii_digit()) {
            steps.push((names.next().unwrap(), Vec::new()));
        }
        if let Some((_, functions)) = steps.last_mut() {
            functions.extend(names);
        }
    }
    steps
}

/// Returns the bodies of the functions with this name.
fn bodies(tokens: TokenStream, name: &str) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let is_fn = token.to_string() == "fn" && tokens.get(index + 1).is_some_and(|next| next.to_string() == name);
        if is_fn {
            let mut rest = tokens[index..].iter().take_while(|token| token.to_string() != ";");
            found.extend(rest.find_map(|token| match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
                _ => None,
            }));
        }
        if let TokenTree::Group(group) = token {
            found.extend(bodies(group.stream(), name));
        }
    }
    found
}

/// Whether a body calls a function of this name.
fn calls(body: TokenStream, name: &str) -> bool {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let is_call = |index: usize| {
        let next = tokens.get(index + 1);
        let arguments =
            |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis);
        tokens[index].to_string() == name && next.is_some_and(arguments)
    };
    let inner = |token: &TokenTree| matches!(token, TokenTree::Group(group) if calls(group.stream(), name));
    (0..tokens.len()).any(is_call) || tokens.iter().any(inner)
}

#[test]
fn the_life_of_a_search_is_as_the_essay_tells_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let steps = steps(&fs::read_to_string(source.join("lib.rs")).unwrap());
    let files: Vec<_> = steps.iter().map(|(file, _)| file).collect();
    assert!((5..=MOST_FILES).contains(&files.len()), "{files:?}");
    let mut callers: Vec<TokenStream> = Vec::new();
    for (file, functions) in &steps {
        let text: TokenStream = fs::read_to_string(source.join(file)).unwrap().parse().unwrap();
        assert!(!functions.is_empty(), "{file}");
        for function in functions {
            let found = bodies(text.clone(), function);
            assert!(!found.is_empty(), "{file} has no function {function}");
            let is_called = callers.is_empty() || callers.iter().any(|body| calls(body.clone(), function));
            assert!(is_called, "nothing before calls {function} of {file}");
            callers.extend(found);
        }
    }
}

#[test]
fn calls_and_bodies_are_found() {
    let source: TokenStream = "impl A { fn f(&self) { if x { self.g(1) } } fn g(&self); } fn h() {}".parse().unwrap();
    let found = bodies(source.clone(), "f");
    assert_eq!((found.len(), bodies(source.clone(), "g").len(), bodies(source, "h").len()), (1, 0, 1));
    assert!(calls(found[0].clone(), "g") && !calls(found[0].clone(), "x") && !calls(found[0].clone(), "f"));
}
