//! Completions and manual pages, as shells and readers of pages take them.

use super::secateurs;
use clap::CommandFactory;
use secateurs_tools::cli::Cli;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs a program that may not be installed, and returns its output, and what it printed to stderr.
fn run_if_installed(program: &str, args: &[&str]) -> Option<(String, String)> {
    let output = match Command::new(program).args(args).output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("{program} is not installed: not tested with it");
            return None;
        }
        output => output.unwrap(),
    };
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Some((text(output.stdout), text(output.stderr)))
}

/// Writes the completions of a shell into a folder, and returns the path of the file.
fn script(shell: &str, folder: &Path) -> String {
    let ran = secateurs(&["completions", shell]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let path = folder.join("_secateurs");
    fs::write(&path, ran.out).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn bash_completes_subcommands_options_and_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = script("bash", folder.path());
    // The function reads the words before the cursor, the word there and the one before it.
    let complete = |words: &str, current: &str, previous: &str| {
        let count = words.split(' ').count() - 1;
        let program = format!(
            ". {path}; COMP_WORDS=({words}); COMP_CWORD={count}; _secateurs secateurs '{current}' '{previous}'; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        run_if_installed("bash", &["--norc", "-c", &program])
    };
    let Some((out, err)) = complete("secateurs an", "an", "secateurs") else { return };
    assert_eq!((out.as_str(), err.as_str()), ("analyse\n", ""));
    assert_eq!(complete("secateurs endgame b", "b", "endgame").unwrap().0, "build\n");
    assert_eq!(complete("secateurs solve --che", "--che", "solve").unwrap().0, "--checkpoint\n");
    assert_eq!(complete("secateurs tree --format h", "h", "--format").unwrap().0, "html\n");
    assert_eq!(complete("secateurs play --game ch", "ch", "--game").unwrap().0, "chess\ncheckers\n");
}

#[test]
fn fish_completes_subcommands_and_options() {
    let folder = tempfile::tempdir().unwrap();
    let path = script("fish", folder.path());
    let complete =
        |line: &str| run_if_installed("fish", &["--no-config", "-c", &format!(". {path}; complete -C '{line}'")]);
    let Some((out, err)) = complete("secateurs an") else { return };
    assert!(out.starts_with("analyse\tSearch positions") && err.is_empty(), "{out}{err}");
    assert!(complete("secateurs tree --format h").unwrap().0.starts_with("html\t"));
    assert!(complete("secateurs endgame b").unwrap().0.starts_with("build\t"));
}

#[test]
fn zsh_reads_its_completions() {
    let folder = tempfile::tempdir().unwrap();
    script("zsh", folder.path());
    let folder = folder.path().to_str().unwrap();
    let program = format!(
        "fpath=({folder} $fpath); autoload -U compinit; compinit -u -d {folder}/dump; print $_comps[secateurs]; \
         autoload +X _secateurs && functions _secateurs | grep -c analyse"
    );
    let Some((out, err)) = run_if_installed("zsh", &["-f", "-c", &program]) else { return };
    let (name, count) = out.split_once('\n').unwrap();
    assert_eq!((name, err.as_str()), ("_secateurs", ""));
    assert!(count.trim().parse::<u32>().unwrap() > 1, "{out}");
}

#[test]
fn every_shell_has_a_script_with_every_subcommand() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = secateurs(&["completions", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        for command in Cli::command().get_subcommands() {
            assert!(ran.out.contains(command.get_name()), "{shell}: {}", command.get_name());
        }
    }
    let ran = secateurs(&["completions", "tcsh"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("invalid value 'tcsh'") && ran.err.contains("bash"), "{}", ran.err);
    assert_eq!(secateurs(&["--game", "nim", "completions", "bash"]).code, Some(2));
}

/// Checks the page of a command and those of its subcommands, and returns their names.
fn pages(command: &clap::Command, name: &str, folder: &Path) -> Vec<String> {
    let file = format!("{name}.1");
    let page = fs::read_to_string(folder.join(&file)).unwrap();
    let about = command.get_about().unwrap().to_string().replace('-', "\\-").replace('\'', "\\*(Aq");
    assert!(page.contains(&format!("{} \\- {about}", name.replace('-', "\\-"))), "{page}");
    for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
        if let Some(long) = argument.get_long() {
            assert!(page.contains(&format!("\\fB\\-\\-{}\\fR", long.replace('-', "\\-"))), "{file}: --{long}");
        }
    }
    let mut names = vec![file];
    names.extend(command.get_subcommands().flat_map(|subcommand| {
        assert!(page.contains(&format!("{}\\-{}(1)", name.replace('-', "\\-"), subcommand.get_name())), "{page}");
        pages(subcommand, &format!("{name}-{}", subcommand.get_name()), folder)
    }));
    names
}

#[test]
fn every_subcommand_has_a_manual_page_that_renders() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("share/man1");
    let ran = secateurs(&["man", target.to_str().unwrap()]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let mut named = pages(&root, "secateurs", &target);
    let mut found: Vec<String> =
        fs::read_dir(&target).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    named.sort();
    found.sort();
    assert_eq!(named, found);
    assert_eq!(ran.out, format!("{} pages in {}\n", found.len(), target.display()));
    for path in found.iter().map(|name| target.join(name)) {
        let path = path.to_str().unwrap();
        if let Some((out, err)) = run_if_installed("mandoc", &["-T", "lint", "-W", "error", path]) {
            assert_eq!(out + &err, "");
        }
        // Without bold letters, which some versions write as a letter over another.
        if let Some((out, err)) = run_if_installed("groff", &["-man", "-Tutf8", "-P-cbou", "-ww", path]) {
            assert!(out.contains("SYNOPSIS") && err.is_empty(), "{path}: {err}");
        }
    }
    let page = target.join("secateurs-perft.1");
    if let Some((out, _)) = run_if_installed("mandoc", &["-T", "ascii", page.to_str().unwrap()]) {
        let is_example = |line: &str| line.trim_start().starts_with("secateurs perft ");
        assert!(out.lines().any(is_example), "an example has a line of its own:\n{out}");
    }
}

#[test]
fn a_folder_for_pages_that_is_a_file_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let ran = secateurs(&["man", file.path().to_str().unwrap()]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains(file.path().to_str().unwrap()), "{}", ran.err);
}
