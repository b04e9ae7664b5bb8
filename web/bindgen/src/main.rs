//! Writes the JavaScript and the type declarations around a WebAssembly module: `secateurs-bindgen MODULE FOLDER NAME`.
//! As a package of this workspace it has the version of `wasm-bindgen` that the module was built with.

use anyhow::{Context, Result};
use std::env;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let usage = "usage: secateurs-bindgen MODULE FOLDER NAME";
    let mut words = env::args().skip(1);
    let mut next = || words.next().context(usage);
    let (module, folder, name) = (next()?, next()?, next()?);
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(&name).web(true)?.typescript(true);
    bindgen.omit_default_module_path(true).remove_name_section(true).remove_producers_section(true).generate(folder)
}
