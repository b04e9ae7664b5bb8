//! [`Uci`]: the line protocol as text.

use crate::thrown;
use js_sys::Function;
use secateurs::protocol::inline::InlineDialogue;
use secateurs::protocol::{ServeError, Settings};
use std::io::{self, Write};
use wasm_bindgen::prelude::*;

/// A dialogue of the line protocol: UCI or UGI.
#[wasm_bindgen]
pub struct Uci(InlineDialogue<Lines>);

#[wasm_bindgen]
impl Uci {
    /// Begins a dialogue about a game. `say` is called with each line of the engine.
    #[wasm_bindgen(constructor)]
    pub fn new(game: &str, say: Function) -> Result<Uci, JsError> {
        let settings = Settings { game: Some(game.into()), ..Settings::default() };
        let dialogue = InlineDialogue::new(&settings, Lines { say, begun: Vec::new() });
        dialogue.map(Self).map_err(|error: ServeError| thrown(error))
    }

    /// Executes a line to its end. Returns false after `quit`.
    pub fn execute(&self, line: &str) -> Result<bool, JsError> {
        self.0.execute(line).map_err(thrown)
    }
}

/// Calls a function with each line that is written.
struct Lines {
    say: Function,
    begun: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&self.begun).into_owned();
                // What the host throws does not concern the dialogue.
                let _ = self.say.call1(&JsValue::NULL, &line.into());
                self.begun.clear();
            } else {
                self.begun.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
