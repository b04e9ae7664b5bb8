//! The threads of a batch, each with a table of its own.

use crate::core::Error;
use crate::search::Table;
use crate::search::thread::builder;
use crate::util::forks::tracked;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

/// Creates a table of `mib` MiB for each worker. All tables together must fit into the memory available now.
///
/// # Errors
/// [`Error::TableTooLarge`].
pub fn tables(workers: usize, mib: usize) -> Result<Vec<Arc<Table>>, Error> {
    drop(Table::new(mib.max(1).saturating_mul(workers))?);
    (0..workers).map(|_| Table::new(mib).map(Arc::new)).collect()
}

/// Calls `work` concurrently with each table and returns the results in the order of the tables. The calling thread is
/// the first worker: it needs a stack of [`STACK`](crate::search::STACK) bytes. If a thread cannot be started, the
/// other workers do its part.
pub fn run<T: Send>(tables: Vec<Arc<Table>>, work: impl Fn(Arc<Table>) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let (mut tables, work) = (tables.into_iter(), &work);
        let first = tables.next();
        let spawn =
            |table| builder("batch").and_then(|thread| thread.spawn_scoped(scope, tracked(move || work(table))));
        let workers: Vec<_> = tables.map_while(|table| spawn(table).inspect_err(complain).ok()).collect();
        let own = first.map(work);
        let others = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|payload| resume_unwind(payload)));
        own.into_iter().chain(others).collect()
    })
}

fn complain(error: &std::io::Error) {
    log::warn!("a worker of the batch could not be started: {error}");
}
