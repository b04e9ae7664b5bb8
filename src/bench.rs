//! The benchmark: one deterministic node total over all games.
use crate::core::StopFlag;
/// stub
pub fn run(_stop: &StopFlag, _progress: &mut dyn FnMut(&String)) -> Option<String> { None }
