//! The search of one state on a thread of its own, which reports to the client's loop.

use super::event::Event;
use secateurs::core::{Bound, Limits, Progress, Report, Request, StopFlag};
use secateurs::engine::Board;
use secateurs::search::Table;
use secateurs::search::thread::builder;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

/// The minimum time between a state and its first move, and between two moves. KWARC's server loses moves that arrive
/// before it has noted its own state, and those that follow each other faster than it reads them.
const INTERVAL: Duration = Duration::from_millis(20);

/// A state under search.
pub struct Search {
    /// The number of the search, unique in the process.
    pub number: u64,
    /// The number of the server's message `state`.
    pub id: Option<u64>,
    /// When the search began.
    pub began: Instant,
    /// Its board, which has at least one legal move.
    pub board: Box<dyn Board>,
    /// The last move sent, with its report and the time at which it was sent.
    sent: Option<(Report, Instant)>,
    /// A better move, which waits until it may be sent.
    unsent: Option<Report>,
    /// Whether the thread has ended: the last move is final.
    is_final: bool,
    /// Whether a move was sent twice.
    repeated: bool,
    stop: StopFlag,
}

impl Search {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system cannot start it.
    pub(crate) fn start(
        number: u64,
        id: Option<u64>,
        board: Box<dyn Board>,
        request: Request,
        table: Arc<Table>,
        events: SyncSender<Event>,
    ) -> io::Result<Self> {
        let (stop, place) = (StopFlag::new(), board.boxed());
        let raised = stop.clone();
        builder("search")?.spawn(move || {
            let report = search(&*place, &request, table, &raised, &|report| {
                // A send fails only when the client has ended.
                let _ = events.send(Event::Found(number, Box::new(report.clone())));
            });
            let _ = events.send(Event::Done(number, Box::new(report)));
        })?;
        Ok(Self {
            number,
            id,
            began: Instant::now(),
            board,
            sent: None,
            unsent: None,
            is_final: false,
            repeated: false,
            stop,
        })
    }

    pub(crate) fn found(&mut self, report: Report) {
        let is_first = self.sent.is_none() && self.unsent.is_none();
        // A move that failed low is refuted, but no other one is known yet.
        if report.line == 1 && (report.bound != Bound::Upper || is_first) {
            self.take(report);
        }
    }

    /// Ends the search with its last report.
    pub(crate) fn done(&mut self, report: Report) {
        self.take(report);
        self.is_final = true;
    }

    fn take(&mut self, report: Report) {
        match &mut self.sent {
            // The same move with a newer report.
            Some((sent, _)) if sent.best() == report.best() => (*sent, self.unsent) = (report, None),
            _ => self.unsent = Some(report),
        }
    }

    /// Sends the last move again, once: the server may have lost it.
    pub(crate) fn repeat(&mut self) {
        if !self.repeated && self.unsent.is_none() {
            self.unsent = self.report().cloned();
            self.repeated = self.unsent.is_some();
        }
    }

    /// Returns when a move or `yield` is due; `None`: not before the search reports again.
    pub(crate) fn due(&self) -> Option<Instant> {
        if self.is_final {
            return Some(self.began + INTERVAL);
        }
        self.unsent.as_ref()?;
        Some(self.sent.as_ref().map_or(self.began, |(_, at)| *at) + INTERVAL)
    }

    /// Returns whether something is due now.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.due().is_some_and(|due| due <= now)
    }

    /// Returns whether `yield` follows what is sent.
    pub(crate) fn is_final(&self) -> bool {
        self.is_final
    }

    /// Marks the waiting move, if any, as sent now, and returns its report.
    pub(crate) fn send(&mut self, now: Instant) -> Option<Report> {
        let report = self.unsent.take()?;
        self.sent = Some((report.clone(), now));
        Some(report)
    }

    /// Returns the last report of the last move sent.
    pub(crate) fn report(&self) -> Option<&Report> {
        self.sent.as_ref().map(|(report, _)| report)
    }

    /// Signals the thread to end.
    pub(crate) fn stop(&self) {
        self.stop.raise();
    }
}

/// Searches. If the search panics, the best move is the first legal one.
fn search(board: &dyn Board, request: &Request, table: Arc<Table>, stop: &StopFlag, found: &dyn Fn(&Report)) -> Report {
    // State that a panic leaves inconsistent is dropped with the engine; the table is always consistent.
    let reports = catch_unwind(AssertUnwindSafe(|| {
        board.engine(table).search(request, stop, &mut |event| {
            if let Progress::Line(report) = event {
                found(report);
            }
        })
    }));
    reports.ok().and_then(|reports| reports.into_iter().next()).unwrap_or_else(|| {
        log::error!("a fault of Secateurs ended a search; please report it");
        first_move(board)
    })
}

/// Returns the report of a search that plays the first legal move.
pub(crate) fn first_move(board: &dyn Board) -> Report {
    Report { line: 1, pv: board.moves().into_iter().take(1).collect(), ..Report::default() }
}

/// Returns the tighter of two sets of limits, taking each limit separately.
pub(crate) fn tighter(one: &Limits, other: &Limits) -> Limits {
    fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
        match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }
    Limits {
        depth: least(one.depth, other.depth),
        nodes: least(one.nodes, other.nodes),
        movetime: least(one.movetime, other.movetime),
        clock: one.clock.or(other.clock),
        mate: least(one.mate, other.mate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::registry::GAMES;
    use std::sync::mpsc::sync_channel;

    fn board() -> Box<dyn Board> {
        GAMES[0].start(&GAMES[0].defaults()).unwrap()
    }

    fn report(mv: &str, bound: Bound) -> Report {
        Report { pv: vec![mv.into()], bound, ..first_move(&*board()) }
    }

    #[test]
    fn moves_are_sent_at_intervals_and_once_each() {
        let (events, received) = sync_channel(64);
        let request = Request::depth(1);
        let table = Arc::new(Table::new(1).unwrap());
        let mut search = Search::start(7, Some(4), board(), request, table, events).unwrap();
        let done = received.iter().last().unwrap();
        assert!(matches!(done, Event::Done(7, report) if report.depth == 1 && report.best().is_some()));

        let start = search.began;
        let mut found = |mv, bound, after| {
            search.found(report(mv, bound));
            let now = start + Duration::from_millis(after);
            let sent = if search.is_due(now) { search.send(now) } else { None };
            sent.map(|report| report.pv[0].clone())
        };
        assert_eq!(found("1", Bound::Upper, 0), None, "too early");
        assert_eq!(found("2", Bound::Exact, 20).as_deref(), Some("2"));
        assert_eq!(found("1", Bound::Exact, 25), None, "too early");
        assert_eq!(found("2", Bound::Exact, 27), None, "back again");
        assert_eq!(found("2", Bound::Exact, 100), None, "sent before");
        assert_eq!(found("3", Bound::Upper, 110), None, "refuted");
        assert_eq!(found("3", Bound::Lower, 120).as_deref(), Some("3"));
        assert_eq!(found("4", Bound::Exact, 125), None, "too early");
        assert_eq!(search.due(), Some(start + Duration::from_millis(140)));
        assert_eq!(search.send(start + Duration::from_millis(140)).unwrap().pv, ["4"]);
        assert_eq!((search.due(), &search.report().unwrap().pv[0][..]), (None, "4"));
        // The server may have lost it.
        search.repeat();
        assert_eq!(search.send(start + Duration::from_millis(160)).unwrap().pv, ["4"]);
        search.repeat();
        assert_eq!(search.due(), None, "once");
        search.done(Report { depth: 9, ..report("4", Bound::Exact) });
        assert!(search.is_due(start + Duration::from_millis(161)) && search.is_final());
        assert!(search.send(start).is_none() && search.report().unwrap().depth == 9);
    }

    #[test]
    fn each_limit_is_the_tighter_one() {
        let second = Duration::from_secs(1);
        let one = Limits { movetime: Some(second), depth: Some(9), ..Limits::default() };
        let other = Limits { movetime: Some(2 * second), nodes: Some(5), depth: Some(8), ..Limits::default() };
        let both = Limits { movetime: Some(second), depth: Some(8), nodes: Some(5), ..Limits::default() };
        assert_eq!((tighter(&one, &other), tighter(&other, &one)), (both.clone(), both));
    }
}
