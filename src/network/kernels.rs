//! The loops over hidden neurons, in vectors for AVX2 where the processor has it and for browsers, and as plain loops
//! elsewhere; on aarch64 the compiler makes vectors for NEON of these. Sums wrap, so every path returns the same
//! numbers for any weights.

use super::UNIT;

/// One number for each hidden neuron.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub struct Row<const H: usize>(pub(super) [i16; H]);

impl<const H: usize> Row<H> {
    pub(super) const ZERO: Self = Self([0; H]);
}

impl<const H: usize> Default for Row<H> {
    fn default() -> Self {
        Self::ZERO
    }
}

/// The number of neurons that are summed at a time, in registers.
#[cfg(not(target_feature = "simd128"))]
const BLOCK: usize = 64;

/// Sets `new` to the old sums less the weights of the removed features, plus those of the added ones.
#[inline]
pub(super) fn change<const H: usize>(rows: &[Row<H>], old: &Row<H>, removed: &[u16], added: &[u16], new: &mut Row<H>) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the feature.
        #[allow(unsafe_code)]
        return unsafe { avx2::change(rows, old, removed, added, new) };
    }
    #[cfg(target_feature = "simd128")]
    return simd128::change(rows, old, removed, added, new);
    #[cfg(not(target_feature = "simd128"))]
    portable::change(rows, old, removed, added, new);
}

/// Returns the weighted sum of the squares of the sums, clipped to 0..=[`UNIT`].
#[inline]
pub(super) fn activated<const H: usize>(sums: &Row<H>, weights: &Row<H>) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the feature.
        #[allow(unsafe_code)]
        return unsafe { avx2::activated(sums, weights) };
    }
    #[cfg(target_feature = "simd128")]
    return simd128::activated(sums, weights);
    #[cfg(not(target_feature = "simd128"))]
    portable::activated(sums, weights)
}

#[cfg(not(target_feature = "simd128"))]
mod portable {
    use super::{BLOCK, Row, UNIT};

    #[inline(always)]
    pub(super) fn change<const H: usize>(
        rows: &[Row<H>],
        old: &Row<H>,
        removed: &[u16],
        added: &[u16],
        new: &mut Row<H>,
    ) {
        let (old, _) = old.0.as_chunks::<BLOCK>();
        let (new, _) = new.0.as_chunks_mut::<BLOCK>();
        for (block, (old, new)) in old.iter().zip(new).enumerate() {
            let of = |feature: u16| &rows[usize::from(feature)].0.as_chunks::<BLOCK>().0[block];
            let mut sums = *old;
            for &feature in removed {
                let row = of(feature);
                for index in 0..BLOCK {
                    sums[index] = sums[index].wrapping_sub(row[index]);
                }
            }
            for &feature in added {
                let row = of(feature);
                for index in 0..BLOCK {
                    sums[index] = sums[index].wrapping_add(row[index]);
                }
            }
            *new = sums;
        }
    }

    #[inline(always)]
    pub(super) fn activated<const H: usize>(sums: &Row<H>, weights: &Row<H>) -> i32 {
        let mut total = 0_i32;
        for index in 0..H {
            let clipped = sums.0[index].clamp(0, UNIT as i16);
            // Of trained weights, below 2 in 64ths, the product with a clipped sum fits into 16 bits: two
            // multiplications of 16 bits instead of one of 32.
            let weighted = clipped.wrapping_mul(weights.0[index]);
            total = total.wrapping_add(i32::from(clipped) * i32::from(weighted));
        }
        total
    }
}

/// The same with vectors, given the processor's operations on them by short names: builds for tests and for size have
/// no vectors but those that are written.
#[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
macro_rules! vectors {
    ($feature:literal, $vector:ty) => {
        use super::{Row, UNIT};
        use std::slice;

        /// The vectors that are summed at a time, in registers.
        const BLOCK: usize = 4;

        /// The numbers in as many vectors.
        const NUMBERS: usize = BLOCK * size_of::<$vector>() / size_of::<i16>();

        /// Returns a row as vectors.
        #[inline(always)]
        fn blocks<const H: usize>(row: &Row<H>) -> &[[$vector; BLOCK]] {
            const { assert!(H.is_multiple_of(NUMBERS)) };
            // SAFETY: the row is aligned to 64 bytes, as no vector needs more, and has all of these numbers; any bytes
            // are a vector.
            #[allow(unsafe_code)]
            unsafe {
                slice::from_raw_parts(row.0.as_ptr().cast(), H / NUMBERS)
            }
        }

        #[target_feature(enable = $feature)]
        pub(super) fn change<const H: usize>(
            rows: &[Row<H>],
            old: &Row<H>,
            removed: &[u16],
            added: &[u16],
            new: &mut Row<H>,
        ) {
            // SAFETY: as in `blocks`; and any vector is as many numbers.
            #[allow(unsafe_code)]
            let new = unsafe { slice::from_raw_parts_mut(new.0.as_mut_ptr().cast(), H / NUMBERS) };
            for (block, (old, new)) in blocks(old).iter().zip(new).enumerate() {
                let mut sums = *old;
                for &feature in removed {
                    let row = &blocks(&rows[usize::from(feature)])[block];
                    for index in 0..BLOCK {
                        sums[index] = subtract(sums[index], row[index]);
                    }
                }
                for &feature in added {
                    let row = &blocks(&rows[usize::from(feature)])[block];
                    for index in 0..BLOCK {
                        sums[index] = add(sums[index], row[index]);
                    }
                }
                *new = sums;
            }
        }

        #[target_feature(enable = $feature)]
        pub(super) fn activated<const H: usize>(sums: &Row<H>, weights: &Row<H>) -> i32 {
            let (zero, unit) = (splat(0), splat(UNIT as i16));
            let mut total = zero;
            for (&sum, &weight) in blocks(sums).as_flattened().iter().zip(blocks(weights).as_flattened()) {
                let clipped = least(most(sum, zero), unit);
                total = add_wide(total, dot(clipped, multiply(clipped, weight)));
            }
            // SAFETY: any vector is as many numbers.
            #[allow(unsafe_code)]
            let (_, lanes, _) = unsafe { slice::from_ref(&total).align_to::<i32>() };
            lanes.iter().fold(0, |sum, &lane| sum.wrapping_add(lane))
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi16 as add, _mm256_add_epi32 as add_wide, _mm256_madd_epi16 as dot,
        _mm256_max_epi16 as most, _mm256_min_epi16 as least, _mm256_mullo_epi16 as multiply,
        _mm256_set1_epi16 as splat, _mm256_sub_epi16 as subtract,
    };
    vectors!("avx2", __m256i);
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use std::arch::wasm32::{
        i16x8_add as add, i16x8_max as most, i16x8_min as least, i16x8_mul as multiply, i16x8_splat as splat,
        i16x8_sub as subtract, i32x4_add as add_wide, i32x4_dot_i16x8 as dot, v128,
    };
    vectors!("simd128", v128);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::random::Random;

    const H: usize = 128;

    fn row(random: &mut Random) -> Row<H> {
        Row(std::array::from_fn(|_| random.draw() as i16))
    }

    /// Any numbers, so that sums and products wrap.
    #[test]
    fn both_paths_compute_the_same() {
        let random = &mut Random(1);
        let rows: Vec<_> = (0..50).map(|_| row(random)).collect();
        for case in 0..500 {
            let old = row(random);
            let [removed, added] = [case % 5, case % 7]
                .map(|count| -> Vec<u16> { (0..count).map(|_| random.below(rows.len()) as u16).collect() });
            let (mut one, mut two) = (Row::ZERO, Row::ZERO);
            change(&rows, &old, &removed, &added, &mut one);
            portable::change(&rows, &old, &removed, &added, &mut two);
            assert_eq!(one, two);
            for index in 0..H {
                let sum =
                    |features: &[u16]| features.iter().map(|&at| i64::from(rows[at as usize].0[index])).sum::<i64>();
                assert_eq!(one.0[index], (i64::from(old.0[index]) - sum(&removed) + sum(&added)) as i16);
            }
            assert_eq!(activated(&old, &one), portable::activated(&old, &one));
        }
    }

    #[test]
    fn the_activation_is_the_clipped_square() {
        let (mut sums, mut weights) = (Row::<H>::ZERO, Row::<H>::ZERO);
        for (index, (sum, weight)) in [(-7, 100), (3, 127), (255, -128), (300, 5)].into_iter().enumerate() {
            (sums.0[index], weights.0[index]) = (sum, weight);
        }
        assert_eq!(activated(&sums, &weights), 9 * 127 - 255 * 255 * 128 + 255 * 255 * 5);
    }
}
