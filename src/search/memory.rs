//! Memory for the table: zeroed, in huge pages where the system gives them, and bounded by what is there.
//!
//! The system hands out pages when they are first touched, for a microsecond or more each. Whoever has the time to wait
//! has them all touched by threads of their own, so that no search meets them one by one.

#[cfg(not(miri))]
use memmap2::{MmapOptions, MmapRaw};
use std::hint::black_box;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder, JoinHandle};

/// Bytes in a mebibyte; a small one under Miri, which is slow.
pub const MIB: usize = if cfg!(miri) { 1 << 12 } else { 1 << 20 };

/// What is touched in one piece: a thread that is no longer wanted ends after it.
const PIECE: usize = 4 * MIB / size_of::<Cluster>();

/// What is worth a thread of its own.
const SHARE: usize = 16 * MIB / size_of::<Cluster>();

/// No system has smaller pages.
const PAGE: usize = 4096 / size_of::<Cluster>();

/// Four entries of two words in a cache line.
#[repr(align(64))]
#[derive(Default)]
pub struct Cluster(pub [[AtomicU64; 2]; 4]);

/// Clusters that began as zeros. Shared freely: every access is atomic.
pub struct Memory {
    view: View,
    touching: Option<Arc<Touching>>,
    /// `None` before touching has begun.
    threads: Mutex<Option<Vec<JoinHandle<()>>>>,
}

impl Memory {
    /// No clusters at all.
    #[must_use]
    pub fn none() -> Self {
        Self { view: View { start: NonNull::dangling(), len: 0 }, touching: None, threads: Mutex::default() }
    }

    /// So many clusters, not touched yet; `None` if the system refuses.
    #[must_use]
    pub fn zeroed(len: usize) -> Option<Self> {
        let pages = Pages::zeroed(len)?;
        let view = View { start: pages.start(), len };
        let touching = Arc::new(Touching { pages, view, next: AtomicUsize::new(0) });
        Some(Self { view, touching: Some(touching), threads: Mutex::default() })
    }

    /// The clusters.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Cluster] {
        self.view.as_slice()
    }

    /// Begins to touch all pages in the background, in huge ones if the system has them. Once is enough.
    pub fn touch(&self) {
        let Some(touching) = &self.touching else { return };
        self.threads().get_or_insert_with(|| {
            touching.pages.enlarge();
            let threads = (0..threads(self.view.len)).filter_map(|_| {
                let touching = Arc::clone(touching);
                // Without a thread the pages are touched as they are used.
                Builder::new().name("memory".into()).spawn(move || touching.run()).ok()
            });
            threads.collect()
        });
    }

    /// Whether all pages have been touched.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        let touched = |threads: &Vec<JoinHandle<()>>| threads.iter().all(JoinHandle::is_finished);
        self.touching.is_none() || self.threads().as_ref().is_some_and(touched)
    }

    /// Has all pages touched, and waits until they are.
    pub fn ready(&self) {
        self.touch();
        self.join();
    }

    fn join(&self) {
        for thread in self.threads().iter_mut().flat_map(|threads| threads.drain(..)) {
            // A thread that failed has left its pages to those who use them.
            let _ = thread.join();
        }
    }

    fn threads(&self) -> MutexGuard<'_, Option<Vec<JoinHandle<()>>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes some clusters zero again, on all cores if that is worth it.
    pub fn clear(&self, range: Range<usize>) {
        let clear = |part: &[Cluster]| {
            for word in part.iter().flat_map(|cluster| cluster.0.as_flattened()) {
                // What was never written is not written now: it may have no page yet.
                if word.load(Ordering::Relaxed) != 0 {
                    word.store(0, Ordering::Relaxed);
                }
            }
        };
        let Some(all) = self.as_slice().get(range) else { return };
        // How many threads there may be is asked only where it matters: the answer takes longer than a small part.
        if all.len() <= SHARE {
            return clear(all);
        }
        let mut parts = all.chunks(all.len().div_ceil(threads(all.len())));
        let own = parts.next().unwrap_or_default();
        thread::scope(|scope| {
            for part in parts {
                if Builder::new().name("memory".into()).spawn_scoped(scope, move || clear(part)).is_err() {
                    clear(part);
                }
            }
            clear(own);
        });
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(touching) = &self.touching {
            touching.next.store(self.view.len, Ordering::Relaxed);
        }
        // Nobody waits for threads that end soon; only Miri holds it against them.
        if cfg!(miri) {
            self.join();
        }
    }
}

/// Where the clusters are. Whoever holds it holds the pages too.
#[derive(Clone, Copy)]
struct View {
    start: NonNull<Cluster>,
    len: usize,
}

// SAFETY: all that can be reached through it are atomics, which any thread may use at any time.
#[allow(unsafe_code)]
unsafe impl Send for View {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for View {}

impl View {
    #[inline]
    #[allow(unsafe_code)]
    fn as_slice(&self) -> &[Cluster] {
        // SAFETY: either `len` is 0 and `start` dangles, or the pages at `start` hold `len` clusters; they are aligned,
        // and whoever holds the view keeps them (`Touching` itself, `Memory` by its `touching`). Their bytes
        // began as zeros, a valid cluster of atomics, and are accessed by atomics alone.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

/// What the threads that touch have in common.
struct Touching {
    pages: Pages,
    view: View,
    /// The first cluster that no thread has taken on.
    next: AtomicUsize,
}

impl Touching {
    /// Touches pieces until there are none left.
    fn run(&self) {
        loop {
            let first = self.next.fetch_add(PIECE, Ordering::Relaxed);
            let Some(rest) = self.view.as_slice().get(first..).filter(|rest| !rest.is_empty()) else { return };
            let piece = &rest[..rest.len().min(PIECE)];
            if !self.pages.provide(first, piece.len()) {
                for cluster in piece.iter().step_by(PAGE) {
                    // A write that changes nothing, whatever others write meanwhile.
                    cluster.0[0][0].fetch_or(black_box(0), Ordering::Relaxed);
                }
            }
        }
    }
}

/// Threads for work on so many clusters: no more than cores, and only for what is worth one.
fn threads(len: usize) -> usize {
    len.div_ceil(SHARE).clamp(1, thread::available_parallelism().map_or(1, usize::from))
}

/// What the system gave. (The global allocator would write the zeros: 30 ms for 64 MiB, at every start.)
#[cfg(not(miri))]
struct Pages(MmapRaw);

#[cfg(not(miri))]
impl Pages {
    fn zeroed(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(size_of::<Cluster>())?;
        Some(Self(MmapOptions::new().len(bytes).map_anon().ok()?.into()))
    }

    /// Asks for huge pages; a system without them serves as well.
    fn enlarge(&self) {
        #[cfg(target_os = "linux")]
        let _ = self.0.advise(memmap2::Advice::HugePage);
    }

    fn start(&self) -> NonNull<Cluster> {
        NonNull::new(self.0.as_mut_ptr().cast()).unwrap_or(NonNull::dangling())
    }

    /// Makes the system provide the pages of these clusters, and leaves their contents as they are; false if it
    /// does not know how.
    fn provide(&self, first: usize, count: usize) -> bool {
        #[cfg(target_os = "linux")]
        {
            let (first, count) = (first * size_of::<Cluster>(), count * size_of::<Cluster>());
            let done = self.0.advise_range(memmap2::Advice::PopulateWrite, first, count);
            // Linux before 5.14; other failures would meet whoever touched the pages.
            !done.is_err_and(|error| error.kind() == std::io::ErrorKind::InvalidInput)
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = (first, count);
            false
        }
    }
}

/// Under Miri, what the allocator gave.
#[cfg(miri)]
struct Pages(Vec<Cluster>);

#[cfg(miri)]
impl Pages {
    fn zeroed(len: usize) -> Option<Self> {
        Some(Self(std::iter::repeat_with(Cluster::default).take(len).collect()))
    }

    fn start(&self) -> NonNull<Cluster> {
        NonNull::new(self.0.as_ptr().cast_mut()).unwrap_or(NonNull::dangling())
    }

    fn enlarge(&self) {}

    fn provide(&self, _first: usize, _count: usize) -> bool {
        false
    }
}

/// Memory that could be had now, MiB: of the machine, or of the container where that is less.
#[cfg(not(miri))]
#[must_use]
pub fn available_mib() -> usize {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let machine = system.available_memory();
    let free = system.cgroup_limits().map_or(machine, |limits| limits.free_memory.min(machine));
    usize::try_from(free / MIB as u64).unwrap_or(usize::MAX)
}

/// Under Miri there is no system to ask.
#[cfg(miri)]
#[must_use]
pub fn available_mib() -> usize {
    64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(memory: &Memory) -> u64 {
        memory
            .as_slice()
            .iter()
            .flat_map(|cluster| cluster.0.as_flattened())
            .map(|word| word.load(Ordering::Relaxed))
            .sum()
    }

    #[test]
    fn it_begins_as_zeros_and_touching_keeps_what_is_written() {
        let memory = Memory::zeroed(3 * PAGE + 1).unwrap();
        assert!(!memory.is_ready());
        memory.touch();
        for cluster in memory.as_slice() {
            cluster.0[0][0].fetch_add(1, Ordering::Relaxed);
        }
        memory.ready();
        assert!(memory.is_ready());
        assert_eq!(sum(&memory), 3 * PAGE as u64 + 1);
        memory.clear(0..memory.as_slice().len());
        assert_eq!(sum(&memory), 0);
    }

    #[test]
    fn large_memory_is_cleared_by_several_threads() {
        let memory = Memory::zeroed(3 * SHARE + 5).unwrap();
        for cluster in memory.as_slice().iter().step_by(PAGE - 1).chain(memory.as_slice().last()) {
            cluster.0[3][1].store(1, Ordering::Relaxed);
        }
        memory.clear(0..memory.as_slice().len());
        assert_eq!(sum(&memory), 0);
    }

    #[test]
    fn none_is_empty_and_ready() {
        let memory = Memory::none();
        memory.clear(0..memory.as_slice().len());
        memory.ready();
        assert!(memory.is_ready() && memory.as_slice().is_empty());
        assert!(cfg!(miri) || Memory::zeroed(usize::MAX).is_none());
    }
}
