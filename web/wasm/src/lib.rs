//! Secateurs in WebAssembly: positions, searches and opponents for JavaScript. What crosses the border is JSON; the
//! types of it are in `web/ts/types.ts`.

mod engine;
mod games;
mod position;
mod study;
#[cfg(feature = "text")]
mod uci;

use std::fmt::Display;
use wasm_bindgen::prelude::*;

/// Lends this thread, a worker, to the searches of the memory that it shares. It calls `ready` and does not return.
#[cfg(target_feature = "atomics")]
#[wasm_bindgen]
pub fn lend(ready: &js_sys::Function) {
    secateurs::util::lent::lend(|| _ = ready.call0(&JsValue::NULL))
}

/// Returns the games of this module whose evaluation is a network that a page loads.
#[wasm_bindgen]
pub fn networks() -> Vec<String> {
    let loads = secateurs::registry::GAMES.iter().filter(|row| row.load_network.is_some());
    loads.map(|row| row.name.to_owned()).collect()
}

/// Loads the network of a game, which a page transfers only with its game.
///
/// # Errors
/// An exception for other bytes than those of its file, and for a game that has none.
#[wasm_bindgen(js_name = loadNetwork)]
pub fn load_network(game: &str, bytes: &[u8]) -> Result<(), JsError> {
    let load = secateurs::registry::find(game).ok().and_then(|row| row.load_network);
    let load = load.ok_or_else(|| JsError::new("this game has no network"))?;
    load(bytes).map_err(thrown)
}

/// An exception of JavaScript with the text of an error.
fn thrown(error: impl Display) -> JsError {
    JsError::new(&error.to_string())
}

/// Writes a value as JSON.
fn json(value: &impl serde::Serialize) -> Result<String, JsError> {
    serde_json::to_string(value).map_err(thrown)
}
