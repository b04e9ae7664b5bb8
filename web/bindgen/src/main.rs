//! Writes the JavaScript and the type declarations around a WebAssembly module: `secateurs-bindgen MODULE FOLDER`. As a
//! package of this workspace it has the version of `wasm-bindgen` that the module was built with.

use anyhow::{Context, Result};
use std::env;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut paths = env::args_os().skip(1);
    let module = paths.next().context("usage: secateurs-bindgen MODULE FOLDER")?;
    let folder = paths.next().context("usage: secateurs-bindgen MODULE FOLDER")?;
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
}
