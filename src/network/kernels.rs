//! The loops over hidden neurons. They are plain loops that the compiler vectorises, for the processor of the build and
//! for AVX2 where the processor has it; on aarch64 the build has the vectors of NEON. The build for browsers is one for size,
//! without vectors but those that are written. Sums wrap, so every path returns the same numbers for any weights.

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

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Row, portable};

    #[target_feature(enable = "avx2")]
    pub(super) fn change<const H: usize>(
        rows: &[Row<H>],
        old: &Row<H>,
        removed: &[u16],
        added: &[u16],
        new: &mut Row<H>,
    ) {
        portable::change(rows, old, removed, added, new);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn activated<const H: usize>(sums: &Row<H>, weights: &Row<H>) -> i32 {
        portable::activated(sums, weights)
    }
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use super::{Row, UNIT};
    use std::arch::wasm32::{
        i16x8_add, i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i16x8_sub, i32x4_add, i32x4_dot_i16x8,
        i32x4_extract_lane, i32x4_splat, v128,
    };

    /// Returns a row as vectors. It is aligned to 64 bytes, so that none of its numbers is before or after them.
    fn vectors<const H: usize>(row: &Row<H>) -> &[v128] {
        // SAFETY: any 16 bytes are a vector.
        #[allow(unsafe_code)]
        unsafe { row.0.align_to() }.1
    }

    /// Replaces each vector of the sums by its combination with that of a row.
    fn combine<const H: usize>(sums: &mut Row<H>, row: &Row<H>, combine: impl Fn(v128, v128) -> v128) {
        // SAFETY: any 16 bytes are a vector, and any vector is eight numbers.
        #[allow(unsafe_code)]
        let sums = unsafe { sums.0.align_to_mut::<v128>() }.1;
        for (sum, &weight) in sums.iter_mut().zip(vectors(row)) {
            *sum = combine(*sum, weight);
        }
    }

    pub(super) fn change<const H: usize>(
        rows: &[Row<H>],
        old: &Row<H>,
        removed: &[u16],
        added: &[u16],
        new: &mut Row<H>,
    ) {
        *new = *old;
        removed.iter().for_each(|&feature| combine(new, &rows[usize::from(feature)], |a, b| i16x8_sub(a, b)));
        added.iter().for_each(|&feature| combine(new, &rows[usize::from(feature)], |a, b| i16x8_add(a, b)));
    }

    pub(super) fn activated<const H: usize>(sums: &Row<H>, weights: &Row<H>) -> i32 {
        let mut total = i32x4_splat(0);
        for (&sum, &weight) in vectors(sums).iter().zip(vectors(weights)) {
            let clipped = i16x8_min(i16x8_max(sum, i16x8_splat(0)), i16x8_splat(UNIT as i16));
            total = i32x4_add(total, i32x4_dot_i16x8(clipped, i16x8_mul(clipped, weight)));
        }
        let halves = i32x4_extract_lane::<0>(total).wrapping_add(i32x4_extract_lane::<1>(total));
        halves.wrapping_add(i32x4_extract_lane::<2>(total)).wrapping_add(i32x4_extract_lane::<3>(total))
    }
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
