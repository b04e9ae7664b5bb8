//! Threads beside the interpreter: locks and forks, the GIL, Ctrl-C, log records, and the end of Python.
//!
//! From the bottom up: [`calls`] of Python code; [`lock`](mod@lock)s, which no thread holds during a fork; log
//! [`records`] that wait; [`nesting`] of work in work; [`logs`]; [`background`] threads, which end before Python does;
//! [`workers`], threads that take further work; [`unwinding`] by exceptions; [`work`] on a thread of its own, under
//! Ctrl-C; current [`searches`], which another thread can stop.

pub mod background;
pub mod calls;
pub mod lock;
pub mod logs;
pub mod nesting;
pub mod records;
pub mod searches;
pub mod unwinding;
pub mod work;
pub mod workers;
