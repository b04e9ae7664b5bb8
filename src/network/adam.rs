//! [`Adam`] (Kingma and Ba 2015): steps down a noisy gradient, each parameter by its own scale; with decay of the
//! weights beside the steps (AdamW; Loshchilov and Hutter 2019).

/// The decay of the mean and of the mean square of the gradient.
const DECAY: [f64; 2] = [0.9, 0.999];

/// Parameters and the averages of their gradients.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// The parameters.
    pub parameters: Vec<f64>,
    /// The means of the gradients.
    pub means: Vec<f64>,
    /// The means of their squares.
    pub squares: Vec<f64>,
    /// The number of steps made.
    pub steps: u32,
    /// The root mean square of a gradient, about, below which a parameter moves less.
    pub epsilon: f64,
    /// The share by which a parameter decays in a step of size 1, beside the step itself.
    pub weight_decay: f64,
}

impl Adam {
    /// Starts with these parameters, which do not decay.
    #[must_use]
    pub fn new(parameters: Vec<f64>, epsilon: f64) -> Self {
        let zeros = vec![0.0; parameters.len()];
        Self { parameters, means: zeros.clone(), squares: zeros, steps: 0, epsilon, weight_decay: 0.0 }
    }

    /// Makes a step of this size down a gradient, which has a number for each parameter.
    pub fn step(&mut self, size: f64, gradient: &[f64]) {
        self.steps += 1;
        let [bias, square_bias] = DECAY.map(|decay| 1.0 - decay.powi(self.steps as i32));
        let keep = 1.0 - size * self.weight_decay;
        let averages = self.means.iter_mut().zip(&mut self.squares);
        for ((parameter, (mean, square)), &slope) in self.parameters.iter_mut().zip(averages).zip(gradient) {
            *mean += (1.0 - DECAY[0]) * (slope - *mean);
            *square += (1.0 - DECAY[1]) * (slope * slope - *square);
            let root = (*square / square_bias).sqrt();
            *parameter = *parameter * keep - size * *mean / bias / (root + self.epsilon);
        }
    }
}

/// Returns the size of a step that falls along a cosine, from the first to the last, after a share of the work.
#[must_use]
pub fn cosine([first, last]: [f64; 2], done: f64) -> f64 {
    last + (first - last) * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0
}

/// Returns the sum of the parts of a gradient, in order, times a factor.
#[must_use]
pub fn summed(parts: &[Vec<f32>], factor: f64) -> Vec<f64> {
    let Some((first, others)) = parts.split_first() else { return Vec::new() };
    let mut sums: Vec<_> = first.iter().copied().map(f64::from).collect();
    for part in others {
        sums.iter_mut().zip(part).for_each(|(sum, &slope)| *sum += f64::from(slope));
    }
    sums.iter_mut().for_each(|sum| *sum *= factor);
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first step has the size that is given, whatever the gradient; the minimum of a parabola is found.
    #[test]
    fn steps_go_down() {
        let mut adam = Adam::new(vec![1.0, -1.5, 0.0], 1e-12);
        adam.step(0.1, &[3.0, -7.0, 0.0]);
        assert!(adam.parameters.iter().zip([0.9, -1.4, 0.0]).all(|(found, expected)| (found - expected).abs() < 1e-9));
        for step in 0..2_000 {
            let slopes: Vec<_> = adam.parameters.iter().map(|at| at - 0.5).collect();
            adam.step(cosine([0.05, 0.0005], f64::from(step) / 2_000.0), &slopes);
        }
        assert!(adam.parameters.iter().all(|at| (at - 0.5).abs() < 0.001), "{adam:?}");
    }
}
