//! The output of a network, its loss and its gradient, in floating-point numbers.
//!
//! The parameters are one list: the weights of each feature, the biases of the hidden neurons, the output weights of
//! each bucket for the side to move and for its opponent, and the bias of each bucket.

use crate::core::NetworkShape;
use crate::util::random::{Random, unit};

/// The number of terms that are summed side by side.
const LANES: usize = 16;

/// The size of the initial weights of the hidden layer, and the initial bias: most neurons are then within their range.
const FIRST: [f32; 2] = [0.08, 0.1];

/// A position to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// The features from the perspective of the side to move, then from that of its opponent.
    pub features: [&'a [u16]; 2],
    /// The output bucket.
    pub bucket: usize,
    /// What is added to the output, in its units.
    pub settled: f32,
    /// The expected result for the side to move, from 0 to 1.
    pub target: f32,
}

/// Returns the expected result by the logarithm of the odds of a win.
#[must_use]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Returns the number of parameters of a network.
#[must_use]
pub const fn count(shape: NetworkShape) -> usize {
    (shape.features + 1 + 2 * shape.buckets) * shape.hidden + shape.buckets
}

/// Returns random parameters.
#[must_use]
pub fn random(shape: NetworkShape, seed: u64) -> Vec<f32> {
    let mut random = Random(seed);
    let mut within = |size: f32| (2.0 * unit(random.draw()) as f32 - 1.0) * size;
    let (hidden, outputs) = (shape.features * shape.hidden, 2 * shape.buckets * shape.hidden);
    let output = 1.0 / (2.0 * shape.hidden as f32).sqrt();
    let mut parameters: Vec<_> = (0..hidden).map(|_| within(FIRST[0])).collect();
    parameters.extend(std::iter::repeat_n(FIRST[1], shape.hidden));
    parameters.extend((0..outputs).map(|_| within(output)));
    parameters.extend(std::iter::repeat_n(0.0, shape.buckets));
    parameters
}

/// The parts of a list of parameters, or of its gradient, with `H` hidden neurons.
struct Parts<'a, const H: usize> {
    features: &'a [[f32; H]],
    bias: &'a [f32; H],
    /// Two rows for each bucket.
    outputs: &'a [[f32; H]],
    biases: &'a [f32],
}

impl<'a, const H: usize> Parts<'a, H> {
    fn new(parameters: &'a [f32], shape: NetworkShape) -> Option<Self> {
        let (rows, biases) = parameters.split_at_checked(count(shape) - shape.buckets)?;
        let (rows, []) = rows.as_chunks::<H>() else { return None };
        let (features, rows) = rows.split_at_checked(shape.features)?;
        let (bias, outputs) = rows.split_first()?;
        Some(Self { features, bias, outputs, biases })
    }
}

/// Adds the gradient of the summed squared errors of positions to `gradient`, if there is one, and returns the sum of
/// these errors. `None` for a shape of another number of hidden neurons than 64, 128, 256 or 512.
#[must_use]
pub fn add_gradient(
    parameters: &[f32],
    shape: NetworkShape,
    examples: &[Example<'_>],
    gradient: Option<&mut [f32]>,
) -> Option<f64> {
    match shape.hidden {
        64 => fastest::<64>(parameters, shape, examples, gradient),
        128 => fastest::<128>(parameters, shape, examples, gradient),
        256 => fastest::<256>(parameters, shape, examples, gradient),
        512 => fastest::<512>(parameters, shape, examples, gradient),
        _ => None,
    }
}

/// All paths return the same numbers: they add in the same order.
fn fastest<const H: usize>(
    parameters: &[f32],
    shape: NetworkShape,
    examples: &[Example<'_>],
    gradient: Option<&mut [f32]>,
) -> Option<f64> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has the feature.
        #[allow(unsafe_code)]
        return unsafe { add_avx2::<H>(parameters, shape, examples, gradient) };
    }
    add::<H>(parameters, shape, examples, gradient)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_avx2<const H: usize>(
    parameters: &[f32],
    shape: NetworkShape,
    examples: &[Example<'_>],
    gradient: Option<&mut [f32]>,
) -> Option<f64> {
    add::<H>(parameters, shape, examples, gradient)
}

#[inline(always)]
fn add<const H: usize>(
    parameters: &[f32],
    shape: NetworkShape,
    examples: &[Example<'_>],
    mut gradient: Option<&mut [f32]>,
) -> Option<f64> {
    let parts = Parts::<H>::new(parameters, shape)?;
    let mut squares = 0.0;
    for position in examples {
        let hidden = position.features.map(|features| sums(&parts, features));
        let first = 2 * position.bucket;
        let weights = [&parts.outputs[first], &parts.outputs[first + 1]];
        let output = activated(&hidden[0], weights[0]) + activated(&hidden[1], weights[1]);
        let value = sigmoid(position.settled + output + parts.biases[position.bucket]);
        let error = value - position.target;
        squares += f64::from(error * error);
        let Some(gradient) = gradient.as_deref_mut() else { continue };
        let slope = 2.0 * error * value * (1.0 - value);
        let (rows, biases) = gradient.split_at_mut(parameters.len() - shape.buckets);
        let (rows, _) = rows.as_chunks_mut::<H>();
        biases[position.bucket] += slope;
        for side in 0..2 {
            let (own, weights) = (&hidden[side], weights[side]);
            let output = &mut rows[shape.features + 1 + first + side];
            let mut back = [0.0; H];
            for index in 0..H {
                let clipped = own[index].clamp(0.0, 1.0);
                output[index] += slope * clipped * clipped;
                let is_within = own[index] > 0.0 && own[index] < 1.0;
                back[index] = if is_within { slope * weights[index] * 2.0 * clipped } else { 0.0 };
            }
            add_row(&mut rows[shape.features], &back);
            for &feature in position.features[side] {
                add_row(&mut rows[usize::from(feature)], &back);
            }
        }
    }
    Some(squares)
}

#[inline(always)]
fn add_row<const H: usize>(row: &mut [f32; H], other: &[f32; H]) {
    for index in 0..H {
        row[index] += other[index];
    }
}

#[inline(always)]
fn sums<const H: usize>(parts: &Parts<'_, H>, features: &[u16]) -> [f32; H] {
    let mut sums = *parts.bias;
    for &feature in features {
        add_row(&mut sums, &parts.features[usize::from(feature)]);
    }
    sums
}

#[inline(always)]
fn activated<const H: usize>(sums: &[f32; H], weights: &[f32; H]) -> f32 {
    let mut lanes = [0.0; LANES];
    for start in (0..H).step_by(LANES) {
        for lane in 0..LANES {
            let clipped = sums[start + lane].clamp(0.0, 1.0);
            lanes[lane] += clipped * clipped * weights[start + lane];
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: NetworkShape = NetworkShape { features: 9, hidden: 64, buckets: 2 };

    /// Random positions with one to four features for each perspective.
    fn examples<'a>(features: &'a [u16], random: &mut Random) -> Vec<Example<'a>> {
        let mut some = || {
            let start = random.below(features.len() - 4);
            &features[start..start + 1 + random.below(4)]
        };
        let all = (0..40).map(|index| (index, [some(), some()])).collect::<Vec<_>>();
        let example = |(index, features)| Example {
            features,
            bucket: index % SHAPE.buckets,
            settled: random.below(100) as f32 / 100.0 - 0.5,
            target: random.below(11) as f32 / 10.0,
        };
        all.into_iter().map(example).collect()
    }

    fn loss(parameters: &[f32], examples: &[Example<'_>], gradient: Option<&mut [f32]>) -> f64 {
        add_gradient(parameters, SHAPE, examples, gradient).unwrap()
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let source = &mut Random(9);
        let features: Vec<u16> = (0..100).map(|_| source.below(SHAPE.features) as u16).collect();
        let examples = examples(&features, source);
        let parameters = random(SHAPE, 3);
        let mut gradient = vec![0.0; parameters.len()];
        let sum = loss(&parameters, &examples, Some(&mut gradient));
        let mut plain = vec![0.0; parameters.len()];
        assert_eq!(add::<64>(&parameters, SHAPE, &examples, Some(&mut plain)), Some(sum));
        assert_eq!(plain, gradient);
        let mut checked = 0;
        for index in 0..parameters.len() {
            let at = |step: f32| {
                let mut moved = parameters.clone();
                moved[index] += step;
                loss(&moved, &examples, None)
            };
            let slope = (at(0.002) - at(-0.002)) / 0.004;
            assert!((slope - f64::from(gradient[index])).abs() < 0.01, "{index}: {slope}, {}", gradient[index]);
            checked += usize::from(slope.abs() > 0.01);
        }
        assert!(checked > 40, "{checked}");
    }

    #[test]
    fn networks_of_other_sizes_are_not_trained() {
        let shape = NetworkShape { hidden: 48, ..SHAPE };
        assert_eq!(add_gradient(&[], shape, &[], None), None);
        assert_eq!(count(SHAPE), 9 * 64 + 64 + 4 * 64 + 2);
    }
}
