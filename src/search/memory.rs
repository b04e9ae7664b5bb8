//! Memory for the table: zeroed, in huge pages where the system gives them, and bounded by what is there.
//!
//! The system hands out pages when they are first touched, for a microsecond or more each, a huge one for up to some
//! milliseconds. Threads with a low priority touch them all, so that a search seldom meets a new one. They touch page by
//! page: asked for many pages at once (`MADV_POPULATE_WRITE`), Linux would let nobody else begin a thread meanwhile, and a clock
//! may be running.

use crate::core::StopFlag;
#[cfg(not(miri))]
use memmap2::{MmapOptions, MmapRaw};
use std::hint::black_box;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, Builder};

/// Bytes in a mebibyte; a small one under Miri, which is slow.
pub const MIB: usize = if cfg!(miri) { 1 << 12 } else { 1 << 20 };

/// What is touched in one piece, a huge page: a thread that is no longer wanted ends after it.
const PIECE: usize = 2 * MIB / size_of::<Cluster>();

/// What is worth a thread of its own.
const SHARE: usize = 16 * MIB / size_of::<Cluster>();

/// What is taken off the priority of such a thread. With the lowest one it would wait for a core for up to seconds on a busy
/// machine, and so would all that needs the memory that it has in hand, the end of the process for one.
#[cfg(all(target_os = "linux", not(miri)))]
const GIVE_WAY: i32 = 10;

/// No system has smaller pages.
const PAGE: usize = 4096 / size_of::<Cluster>();

/// Four entries of two words in a cache line.
#[repr(align(64))]
#[derive(Default)]
pub struct Cluster(pub [[AtomicU64; 2]; 4]);

impl Cluster {
    /// Makes it zero. What is zero is not written: it may have no page yet.
    pub fn clear(&self) {
        for word in self.0.as_flattened() {
            if word.load(Ordering::Relaxed) != 0 {
                word.store(0, Ordering::Relaxed);
            }
        }
    }
}

/// Clusters that began as zeros. Shared freely: every access is atomic.
pub struct Memory {
    view: View,
    touching: Option<Arc<Touching>>,
    /// Whether threads have been begun. They are not waited for: after a fork the child has this memory, but not them.
    begun: AtomicBool,
}

impl Memory {
    /// No clusters at all.
    #[must_use]
    pub fn none() -> Self {
        Self { view: View { start: NonNull::dangling(), len: 0 }, touching: None, begun: AtomicBool::new(false) }
    }

    /// So many clusters, not touched yet; `None` if the system refuses.
    #[must_use]
    pub fn zeroed(len: usize) -> Option<Self> {
        let pages = Pages::zeroed(len)?;
        let view = View { start: pages.start(), len };
        let touching = Arc::new(Touching { pages, view, next: AtomicUsize::new(0) });
        Some(Self { view, touching: Some(touching), begun: AtomicBool::new(false) })
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
        if self.begun.swap(true, Ordering::Relaxed) {
            return;
        }
        touching.pages.enlarge();
        // Miri wants threads to end before the process does.
        let count = if cfg!(miri) { 0 } else { threads(self.view.len) };
        for _ in 0..count {
            let touching = Arc::clone(touching);
            // Without a thread the pages are touched as they are used.
            let _ = Builder::new().name("memory".into()).spawn(move || {
                give_way();
                touching.run(&StopFlag::new());
            });
        }
    }

    /// Whether no page is left to touch, but for those that a thread has in hand.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.touching.as_ref().is_none_or(|touching| touching.next.load(Ordering::Relaxed) >= self.view.len)
    }

    /// Touches all pages that are left, and returns when that is done or the flag is raised.
    pub fn ready(&self, stop: &StopFlag) {
        self.touch();
        if let Some(touching) = &self.touching {
            touching.run(stop);
        }
    }
}

impl Drop for Memory {
    /// Nothing waits for the threads: they end soon.
    fn drop(&mut self) {
        if let Some(touching) = &self.touching {
            touching.next.store(self.view.len, Ordering::Relaxed);
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
    /// Touches pieces until there are none left, or the flag is raised.
    fn run(&self, stop: &StopFlag) {
        while !stop.is_raised() {
            let first = self.next.fetch_add(PIECE, Ordering::Relaxed);
            let Some(rest) = self.view.as_slice().get(first..).filter(|rest| !rest.is_empty()) else { return };
            for cluster in rest.iter().take(PIECE).step_by(PAGE) {
                // A write that changes nothing, whatever others write meanwhile.
                cluster.0[0][0].fetch_or(black_box(0), Ordering::Relaxed);
            }
        }
    }
}

/// The calling thread runs rarely where others want to. Elsewhere than on Linux that would hold for the whole process.
fn give_way() {
    #[cfg(all(target_os = "linux", not(miri)))]
    if let Err(error) = rustix::process::nice(GIVE_WAY) {
        log::debug!("threads that touch memory have the priority of all others: {error}");
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
        memory.ready(&StopFlag::new());
        assert!(memory.is_ready());
        assert_eq!(sum(&memory), 3 * PAGE as u64 + 1);
        memory.as_slice().iter().for_each(Cluster::clear);
        assert_eq!(sum(&memory), 0);
    }

    /// After a fork the child has what the threads of its parent had begun, and none of them.
    #[test]
    fn threads_that_are_gone_are_not_waited_for() {
        let memory = Memory::zeroed(3 * PIECE).unwrap();
        memory.begun.store(true, Ordering::Relaxed);
        memory.touching.as_ref().unwrap().next.store(PIECE, Ordering::Relaxed);
        assert!(!memory.is_ready());
        memory.ready(&StopFlag::new());
        assert!(memory.is_ready());
    }

    #[test]
    fn threads_touch_side_by_side() {
        let memory = Memory::zeroed(3 * PIECE).unwrap();
        let touch = || memory.touching.as_ref().unwrap().run(&StopFlag::new());
        thread::scope(|scope| {
            scope.spawn(touch);
            scope.spawn(touch);
        });
        assert!(memory.is_ready());
        assert_eq!(sum(&memory), 0);
    }

    #[test]
    fn none_is_empty_and_ready() {
        let memory = Memory::none();
        memory.ready(&StopFlag::new());
        assert!(memory.is_ready() && memory.as_slice().is_empty());
        assert!(cfg!(miri) || Memory::zeroed(usize::MAX).is_none());
    }
}
