//! The threads of a batch, each with a table of its own.

use crate::core::{Error, StopFlag};
use crate::search::Table;
use crate::search::thread::builder;
use crate::util::forks::tracked;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// Fills each empty slot with the result of `work` for its index, until the flag is raised. The workers are those of
/// [`run`]; each takes one slot at a time, and ends after the result `None`.
///
/// # Errors
/// The first of `work`, which ends its worker; the slots are then unchanged.
pub fn fill<T: Send>(
    tables: Vec<Arc<Table>>,
    slots: &mut [Option<T>],
    stop: &StopFlag,
    work: impl Fn(&Arc<Table>, usize) -> Result<Option<T>, Error> + Sync,
) -> Result<(), Error> {
    let empty: Vec<usize> = (0..slots.len()).filter(|&index| slots[index].is_none()).collect();
    let next = AtomicUsize::new(0);
    let part = |table| {
        let mut found = Vec::new();
        while let Some(&index) = empty.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !stop.is_raised()) {
            let Some(value) = work(&table, index)? else { break };
            found.push((index, value));
        }
        Ok(found)
    };
    let found: Result<Vec<_>, Error> = run(tables, part).into_iter().collect();
    for (index, value) in found?.into_iter().flatten() {
        slots[index] = Some(value);
    }
    Ok(())
}

fn complain(error: &std::io::Error) {
    log::warn!("a worker of the batch could not be started: {error}");
}
