//! Memory for the table: zeroed, in huge pages where the system provides them, and bounded by the available memory.
//!
//! The system provides a page when it is first touched: a microsecond or more each, up to some milliseconds for a huge
//! page. Threads with a low priority touch all pages in advance, so that a search seldom meets an untouched one. They
//! touch page by page: while Linux populates many pages in one call (`MADV_POPULATE_WRITE`), no thread can start, and a
//! game clock may be running.

use crate::core::StopFlag;
use crate::util::forks::tracked;
use crate::util::parallel::cores;
#[cfg(not(any(miri, target_family = "wasm")))]
use memmap2::{MmapOptions, MmapRaw};
use std::hint::black_box;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::Builder;

/// Bytes in a mebibyte; fewer under Miri, which is slow.
pub(super) const MIB: usize = if cfg!(miri) { 1 << 12 } else { 1 << 20 };

/// The clusters touched in one piece, a huge page: a thread that is no longer needed ends after its piece.
const PIECE: usize = 2 * MIB / size_of::<Cluster>();

/// The clusters that justify a thread of their own.
const SHARE: usize = 16 * MIB / size_of::<Cluster>();

/// The niceness added to such a thread. With the lowest priority it would wait up to seconds for a core on a busy
/// machine, and so would everything that waits for the pages it is touching, such as the end of the process.
#[cfg(all(target_os = "linux", not(miri)))]
const GIVE_WAY: i32 = 10;

/// The smallest page size of any system, in clusters.
const PAGE: usize = 4096 / size_of::<Cluster>();

/// A cache line: four entries of two words.
#[repr(align(64))]
#[derive(Default)]
pub(super) struct Cluster(pub(super) [[AtomicU64; 2]; 4]);

impl Cluster {
    /// Zeroes the cluster. Zero words are not written: they may have no page yet.
    pub(super) fn clear(&self) {
        for word in self.0.as_flattened() {
            if word.load(Ordering::Relaxed) != 0 {
                word.store(0, Ordering::Relaxed);
            }
        }
    }
}

/// Clusters that are zero at first. They can be shared freely: every access is atomic.
pub(super) struct Memory {
    view: View,
    touching: Option<Arc<Touching>>,
    /// Whether the threads have been started. They are never joined: after a fork the child has this memory without the
    /// threads.
    begun: AtomicBool,
}

impl Memory {
    pub(super) fn none() -> Self {
        Self { view: View { start: NonNull::dangling(), len: 0 }, touching: None, begun: AtomicBool::new(false) }
    }

    /// Allocates `len` untouched clusters; `None` if the system refuses.
    pub(super) fn zeroed(len: usize) -> Option<Self> {
        let pages = Pages::zeroed(len)?;
        let view = View { start: pages.start(), len };
        let touching = Arc::new(Touching { pages, view, next: AtomicUsize::new(0) });
        Some(Self { view, touching: Some(touching), begun: AtomicBool::new(false) })
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[Cluster] {
        self.view.as_slice()
    }

    /// Begins to touch all pages in the background, as huge pages if the system has them. Later calls do nothing.
    pub(super) fn touch(&self) {
        let Some(touching) = &self.touching else { return };
        if self.begun.swap(true, Ordering::Relaxed) {
            return;
        }
        touching.pages.enlarge();
        // Miri requires threads to end before the process does; in WebAssembly there are none.
        let count = if cfg!(any(miri, target_family = "wasm")) { 0 } else { threads(self.view.len) };
        for _ in 0..count {
            let touching = Arc::clone(touching);
            // Without a thread the pages are touched on first use.
            let work = move || {
                give_way();
                touching.run(&StopFlag::new());
            };
            let _ = Builder::new().name("memory".into()).spawn(tracked(work));
        }
    }

    /// Whether no page is left to touch, apart from those that a thread is touching now.
    pub(super) fn is_ready(&self) -> bool {
        self.touching.as_ref().is_none_or(|touching| touching.next.load(Ordering::Relaxed) >= self.view.len)
    }

    /// Touches all remaining pages. Returns when that is done or the flag is raised.
    pub(super) fn ready(&self, stop: &StopFlag) {
        self.touch();
        if let Some(touching) = &self.touching {
            touching.run(stop);
        }
    }
}

impl Drop for Memory {
    /// The threads are not joined: they end soon.
    fn drop(&mut self) {
        if let Some(touching) = &self.touching {
            touching.next.store(self.view.len, Ordering::Relaxed);
        }
    }
}

/// The location of the clusters. An owner of a view also owns the pages.
#[derive(Clone, Copy)]
struct View {
    start: NonNull<Cluster>,
    len: usize,
}

// SAFETY: only atomics can be reached through it, which any thread may use at any time.
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
        // and the owner of the view keeps them alive (`Touching` itself, `Memory` by its `touching`). Their bytes are
        // zero at first, which is a valid cluster of atomics, and are accessed by atomics alone.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

struct Touching {
    pages: Pages,
    view: View,
    /// The first cluster that no thread has taken.
    next: AtomicUsize,
}

impl Touching {
    /// Touches pieces until none is left or the flag is raised.
    fn run(&self, stop: &StopFlag) {
        while !stop.is_raised() {
            let first = self.next.fetch_add(PIECE, Ordering::Relaxed);
            let Some(rest) = self.view.as_slice().get(first..).filter(|rest| !rest.is_empty()) else { return };
            for cluster in rest.iter().take(PIECE).step_by(PAGE) {
                // A write that changes nothing, so that concurrent writes are kept.
                cluster.0[0][0].fetch_or(black_box(0), Ordering::Relaxed);
            }
        }
    }
}

/// Lowers the priority of the calling thread. Linux only: elsewhere it would apply to the whole process.
fn give_way() {
    #[cfg(all(target_os = "linux", not(miri)))]
    if let Err(error) = rustix::process::nice(GIVE_WAY) {
        log::debug!("threads that touch memory have the priority of all others: {error}");
    }
}

/// Returns the number of threads for `len` clusters: at most one per core and one per [`SHARE`].
fn threads(len: usize) -> usize {
    len.div_ceil(SHARE).clamp(1, cores())
}

/// Pages mapped by the system. (The global allocator would write the zeros: 30 ms for 64 MiB, at every start.)
#[cfg(not(any(miri, target_family = "wasm")))]
struct Pages(MmapRaw);

#[cfg(not(any(miri, target_family = "wasm")))]
impl Pages {
    fn zeroed(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(size_of::<Cluster>())?;
        Some(Self(MmapOptions::new().len(bytes).map_anon().ok()?.into()))
    }

    /// Requests huge pages; small pages serve as well.
    fn enlarge(&self) {
        #[cfg(target_os = "linux")]
        let _ = self.0.advise(memmap2::Advice::HugePage);
    }

    fn start(&self) -> NonNull<Cluster> {
        NonNull::new(self.0.as_mut_ptr().cast()).unwrap_or(NonNull::dangling())
    }
}

/// Under Miri and in WebAssembly, memory of the allocator.
#[cfg(any(miri, target_family = "wasm"))]
struct Pages(Vec<Cluster>);

#[cfg(any(miri, target_family = "wasm"))]
impl Pages {
    fn zeroed(len: usize) -> Option<Self> {
        let mut clusters = Vec::new();
        clusters.try_reserve_exact(len).ok()?;
        clusters.resize_with(len, Cluster::default);
        Some(Self(clusters))
    }

    fn start(&self) -> NonNull<Cluster> {
        NonNull::new(self.0.as_ptr().cast_mut()).unwrap_or(NonNull::dangling())
    }

    fn enlarge(&self) {}
}

/// Returns the memory available now, in MiB: that of the machine, or of the container if that is less. Where Linux has
/// no `/proc`, as in a container with nothing but the program, all memory of the machine counts.
#[cfg(not(any(miri, target_family = "wasm")))]
pub(super) fn available_mib() -> usize {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    // Without `/proc` it finds nothing, and panics where it reads the limits of the container.
    #[cfg(target_os = "linux")]
    if system.total_memory() == 0 {
        let machine = rustix::system::sysinfo();
        let total = (machine.totalram as u64).saturating_mul(u64::from(machine.mem_unit));
        return usize::try_from(total / MIB as u64).unwrap_or(usize::MAX);
    }
    let machine = system.available_memory();
    let free = system.cgroup_limits().map_or(machine, |limits| limits.free_memory.min(machine));
    usize::try_from(free / MIB as u64).unwrap_or(usize::MAX)
}

/// Under Miri and in WebAssembly there is no system to query: the memory of a small table, and most of what 32 bits
/// address.
#[cfg(any(miri, target_family = "wasm"))]
pub(super) fn available_mib() -> usize {
    if cfg!(miri) { 64 } else { 2048 }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a refused thread fails the test")]
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

    /// After a fork the child has the state of its parent's threads, but not the threads.
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
        std::thread::scope(|scope| {
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
