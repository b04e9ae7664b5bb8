//! Shows the dialogues with engines on stderr, for debugging.

use secateurs::store::FreshFile;
use std::io::{self, Write};
use std::sync::mpsc::{self, SyncSender};
use std::thread::{self, JoinHandle};

/// The number of lines that are queued for a slow terminal before engines have to wait.
const WAITING: usize = 1 << 16;

/// Writes to stderr on its own thread, so that no engine waits for a terminal. Dropping it writes all queued lines.
pub struct Screen {
    lines: Option<SyncSender<String>>,
    thread: Option<JoinHandle<()>>,
}

impl Screen {
    /// Starts the thread.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub(crate) fn start() -> io::Result<Self> {
        Self::on(io::stderr())
    }

    fn on(mut out: impl Write + Send + 'static) -> io::Result<Self> {
        let (lines, waiting) = mpsc::sync_channel::<String>(WAITING);
        let show = move || {
            for line in waiting {
                // If stderr is closed, the match continues.
                let _ = out.write_all(line.as_bytes());
            }
            let _ = out.flush();
        };
        Ok(Self { lines: Some(lines), thread: Some(thread::Builder::new().name("screen".into()).spawn(show)?) })
    }
}

impl Write for Screen {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if let Some(lines) = &self.lines {
            lines.send(String::from_utf8_lossy(line).into_owned()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.lines = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A transcript in a file, on the screen, or both.
pub struct Both(pub Option<FreshFile>, pub Option<Screen>);

impl Write for Both {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if let Some(screen) = &mut self.1 {
            screen.write_all(line)?;
        }
        self.0.as_mut().map_or(Ok(()), |file| file.write_all(line)).map(|()| line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), FreshFile::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn all_is_shown() {
        let paper = Paper::default();
        let mut screen = Screen::on(paper.clone()).unwrap();
        for number in 0..1000 {
            writeln!(screen, "a < {number}").unwrap();
        }
        drop(screen);
        let text = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().count(), 1000);
        assert!(text.ends_with("a < 999\n"), "{text}");
    }
}
