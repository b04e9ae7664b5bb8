#![allow(clippy::disallowed_methods, reason = "a refused thread fails the test")]

use super::*;
use crate::core::Score;
use crate::search::extent::STEP;
use crate::util::random::GOLDEN;

fn entry(value: Score, depth: u8) -> Entry {
    Entry { value, evaluation: 0, proof: Proof::NONE, code: Some(7), depth, bound: Bound::Lower, pv: false }
}

#[test]
fn entries_come_back_as_they_went_in() {
    let table = Table::new(1).unwrap();
    let found = Exact { lower: -300, upper: 500, code: Some(3), effort: 1 };
    assert_eq!((table.probe(1 << 63), table.probe_exact(9)), (None, None));
    table.store(1 << 63, &entry(100, 9));
    table.store_exact(9, &found);
    assert_eq!((table.probe(1 << 63), table.probe_exact(9)), (Some(entry(100, 9)), Some(found)));
    table.clear();
    assert_eq!((table.probe(1 << 63), table.probe_exact(9)), (None, None));
}

#[test]
fn the_most_expensive_entries_that_were_recorded_narrow_those_of_another_table() {
    let (table, other) = (Table::new(1).unwrap(), Table::new(1).unwrap());
    // Clusters of their own.
    let key = |number: u64| number.wrapping_mul(GOLDEN);
    let exact = |lower, upper, effort| Exact { lower, upper, code: Some(3), effort };
    table.store_exact(key(1), &exact(0, 9, 200));
    let recorded = |most| {
        table.record(most);
        table.store(key(2), &entry(100, 9));
        table.store_exact(key(3), &exact(-5, 5, 80));
        table.store_exact(key(4), &exact(-5, 5, 90));
        table.store_exact(key(5), &exact(-5, 5, 70));
        table.recorded()
    };
    let keys = |most| {
        let of = |[found, _]: &[u64; 2]| (1..=5).find(|&number| key(number) == *found);
        let mut keys: Vec<_> = recorded(most).iter().filter_map(of).collect();
        keys.sort_unstable();
        keys
    };
    assert_eq!((keys(9), keys(2), keys(1), keys(0)), (vec![3, 4, 5], vec![3, 4], vec![4], vec![]));
    // More than are wanted are dropped on the way.
    table.record(2);
    (10..100).for_each(|number| table.store_exact(key(number), &exact(-5, 5, number as u8)));
    let mut found: Vec<_> = table.recorded().iter().map(|[key, _]| *key).collect();
    found.sort_unstable();
    let mut last = [key(98), key(99)];
    last.sort_unstable();
    assert_eq!(found, last);
    assert_eq!(table.recorded(), Vec::<[u64; 2]>::new());
    other.store_exact(key(3), &exact(1, 20, 100));
    other.record(9);
    other.share(recorded(2).into_iter());
    assert_eq!(other.recorded(), Vec::<[u64; 2]>::new());
    assert_eq!(
        [3, 4, 5].map(|number| other.probe_exact(key(number))),
        [Some(exact(1, 5, 100)), Some(exact(-5, 5, 90)), None]
    );
}

#[test]
fn the_size_is_a_bound_and_holds() {
    for mib in [1, 3, 64] {
        let table = Table::new(mib).unwrap();
        assert_eq!(table.mib(), mib);
        assert_eq!(size_of_val(table.memory.as_slice()), mib * MIB);
    }
    assert_eq!(size_of::<Cluster>(), 64);
    assert_eq!(Table::none().mib(), 0);
    Table::none().store(1, &entry(1, 1));
    assert_eq!(Table::none().probe(1), None);
}

#[test]
fn more_than_there_is_is_refused_with_both_figures() {
    let table = Table::new(2).unwrap();
    let error = table.resized(1 << 40).err().unwrap();
    let Error::TableTooLarge { requested, available, current } = error else { unreachable!("{error}") };
    assert_eq!((requested, current), (1 << 40, 2));
    assert!(available > 0);
}

#[test]
fn deep_entries_outlive_shallow_ones_and_the_old_go_first() {
    let table = Table::new(1).unwrap();
    // Keys of one cluster: the upper bits are equal.
    for (low, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (5, 6)] {
        table.store(low, &entry(100, depth));
    }
    assert_eq!(table.probe(2), None, "the shallowest went");
    assert!([1, 3, 4, 5].iter().all(|&key| table.probe(key).is_some()));
    table.age();
    table.store(1, &entry(200, 5));
    assert_eq!(table.probe(1).unwrap().depth, 5, "a new search overwrites");
    table.store(6, &entry(300, 5));
    assert_eq!(table.probe(5), None, "the shallowest of the old went, though it was deeper");
    table.store(6, &entry(400, 20));
    table.store(6, &entry(500, 2));
    assert_eq!(table.probe(6).unwrap().value, 400, "much shallower bounds do not displace");
}

#[test]
fn it_grows_when_it_is_crowded_and_loses_little() {
    // Sizes that are multiples of each other and sizes that are not; the second round runs over the cleared table.
    for mib in [1, 3, 24] {
        let table = Table::new(mib).unwrap();
        let (first, all) = (table.extent.used(), table.memory.as_slice().len());
        for seed in [1, 2] {
            let mut random = crate::util::random::Random(seed);
            let keys: Vec<u64> = (0..2 * all).map(|_| random.draw()).collect();
            let (mut used, mut unmoved) = (first, 0);
            for (count, &key) in keys.iter().enumerate() {
                table.store_exact(key, &Exact { lower: 0, upper: 100, code: None, effort: 9 });
                let now = table.extent.used();
                assert!(now == used || (now > used && now <= all && count > used), "{count}: {used} to {now}");
                let still = table.extent.unmoved();
                assert!(still == 0 || unmoved == 0 || still == unmoved - STEP, "{unmoved} to {still}");
                (used, unmoved) = (now, still);
                if still % 1024 == STEP {
                    let (all, known) = (&keys[..count], |&&key: &&u64| table.probe_exact(key).is_some());
                    let found = all.iter().step_by(64).filter(known).count();
                    assert!(
                        found > all.len() / 64 * 9 / 10,
                        "{found} of {} while growing to {mib} MiB",
                        all.len() / 64
                    );
                }
            }
            assert_eq!((used, table.extent.is_growing()), (all, false));
            let found = keys.iter().filter(|&&key| table.probe_exact(key).is_some()).count();
            assert!(found > keys.len() * 9 / 10, "{found} of {}", keys.len());
            assert_eq!(table.words().count(), found, "{mib} MiB: nothing is there twice or from before");
            assert!(table.hashfull() > 400);
            table.clear();
            assert_eq!((table.extent.used(), table.words().count()), (first, 0));
        }
    }
}

#[test]
fn a_table_is_cleared_while_it_grows() {
    let table = Table::new(16).unwrap();
    let mut random = crate::util::random::Random(3);
    let mut keys = Vec::new();
    while !table.extent.is_growing() {
        keys.push(random.draw());
        table.store_exact(keys[keys.len() - 1], &Exact { lower: 0, upper: 100, code: None, effort: 9 });
    }
    let saved = table.words().count();
    assert!(!table.extent.is_growing() && saved > keys.len() * 9 / 10, "{saved} of {}", keys.len());
    table.clear();
    assert!(keys.iter().all(|&key| table.probe_exact(key).is_none()));
    keys.iter().for_each(|&key| table.store(key, &entry(100, 5)));
    assert!(table.words().count() <= keys.len());
}

#[test]
fn clearing_leaves_nothing_however_little_was_stored() {
    let table = Table::new(1).unwrap();
    let mut random = crate::util::random::Random(2);
    for count in [0, 1, 2, 10, 100, 1_000] {
        let keys: Vec<u64> = (0..count).map(|_| random.draw()).collect();
        keys.iter().for_each(|&key| table.store(key, &entry(100, 5)));
        assert!(table.words().count() <= count && (count == 0) == (table.words().count() == 0));
        table.clear();
        let clusters = table.memory.as_slice()[..table.extent.used()].iter();
        assert!(clusters.flat_map(|cluster| cluster.0.as_flattened()).all(|word| word.load(Ordering::Relaxed) == 0));
        assert!(keys.iter().all(|&key| table.probe(key).is_none()));
    }
}

#[test]
fn what_is_saved_can_be_restored_in_a_table_of_another_size() {
    let (one, other) = (Table::new(1).unwrap(), Table::new(2).unwrap());
    let keys: Vec<u64> = (1..50).map(|n: u64| n.wrapping_mul(GOLDEN)).collect();
    for (&key, depth) in keys.iter().zip(1..) {
        one.store(key, &entry(Score::from(depth), depth));
    }
    assert_eq!(one.words().count(), keys.len());
    one.words().for_each(|words| other.restore(words));
    assert!(keys.iter().all(|&key| one.probe(key).is_some() && other.probe(key) == one.probe(key)));
}

#[test]
fn preloaded_values_are_found_although_the_table_grows() {
    let count = if cfg!(miri) { 100 } else { 100_000 };
    let (table, mut random) = (Table::new(16).unwrap(), crate::util::random::Random(5));
    let exact = |value: Score| Exact { lower: value, upper: value, code: None, effort: u8::MAX };
    let entries: Vec<_> = (0..count).map(|value| (random.draw(), exact(value % 100))).collect();
    // A bound that is known before does not stand in the way.
    table.store_exact(entries[0].0, &Exact { lower: -100, ..exact(100) });
    table.preload_exact(&entries);
    let found = entries.iter().filter(|(key, entry)| table.probe_exact(*key) == Some(*entry)).count();
    // A cluster has four places for what falls into it.
    assert!(found * 10_000 >= entries.len() * 9_998, "{found} of {count}");
    assert_eq!(table.probe_exact(entries[0].0), Some(entries[0].1));
}

#[test]
fn what_several_threads_find_is_what_one_of_them_stored() {
    let rounds = if cfg!(miri) { 40 } else { 100_000 };
    // Entries that follow from their keys, in few enough clusters that the threads collide.
    let of = |key: u64| entry(Score::from(key as i16) / 2, (key >> 16) as u8);
    for grows_meanwhile in [false, true] {
        let table = Table::new(1).unwrap();
        table.touch();
        if !grows_meanwhile {
            table.extent.fill(table.memory.as_slice());
        }
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let (table, of) = (&table, &of);
                scope.spawn(move || {
                    let mut key = thread;
                    for _ in 0..rounds {
                        key = key.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(1);
                        let near = key & 0xf << 48 | key >> 20 & 0xf_ffff;
                        table.store(near, &of(near));
                        for known in [near, near ^ 1] {
                            assert!(table.probe(known).is_none_or(|found| found == of(known)));
                        }
                    }
                });
            }
        });
        // What one thread stores while another grows the table may lie in a place that is no longer probed.
        let clusters = table.memory.as_slice().iter();
        let filled = clusters.filter(|cluster| cluster.0[0][1].load(Ordering::Relaxed) != 0).count();
        assert!(filled == 16 || (grows_meanwhile && filled > 16), "{filled}");
    }
}
