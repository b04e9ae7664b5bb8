//! Every file of tests is compiled: a program of Cargo.toml, or a module of one.

use std::fs;
use std::path::Path;

/// Asserts that each source file and each folder with sources in `folder` is a module of `root`, or is one of `others`.
fn check(folder: &Path, root: &Path, others: &[&str]) {
    let text = fs::read_to_string(root).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let inner = ["mod.rs", "main.rs"].map(|file| path.join(file)).into_iter().find(|file| file.exists());
        let is_source = path.extension().is_some_and(|extension| extension == "rs") || inner.is_some();
        if !is_source || path == root {
            continue;
        }
        let is_module = text.lines().any(|line| line.trim_start_matches("pub ") == format!("mod {name};"));
        assert!(is_module || others.contains(&name), "{} is in no program of tests", path.display());
        if let Some(inner) = inner {
            check(&path, &inner, &[]);
        }
    }
}

#[test]
fn every_file_of_tests_is_compiled() {
    for (package, root) in [("", "suite.rs"), ("tools", "suite.rs"), ("kgp", "main.rs")] {
        let package = Path::new(env!("CARGO_MANIFEST_DIR")).join(package);
        let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
        let programs: Vec<_> = manifest.lines().filter_map(|line| line.strip_prefix("name = ")).collect();
        let programs: Vec<_> = programs.iter().map(|name| name.trim_matches('"')).collect();
        let tests = package.join("tests");
        check(&tests, &tests.join(root), &programs);
    }
}
