//! Adam (Kingma and Ba 2015): steps down a noisy gradient, each parameter by its own scale.

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
}

impl Adam {
    pub(super) fn new(parameters: Vec<f64>, epsilon: f64) -> Self {
        let zeros = vec![0.0; parameters.len()];
        Self { parameters, means: zeros.clone(), squares: zeros, steps: 0, epsilon }
    }

    /// Makes a step of this size down a gradient.
    pub(super) fn step(&mut self, size: f64, gradient: &[f64]) {
        self.steps += 1;
        let bias = DECAY.map(|decay| 1.0 - decay.powi(self.steps as i32));
        for (index, &slope) in gradient.iter().enumerate() {
            let (mean, square) = (&mut self.means[index], &mut self.squares[index]);
            *mean += (1.0 - DECAY[0]) * (slope - *mean);
            *square += (1.0 - DECAY[1]) * (slope * slope - *square);
            let root = (*square / bias[1]).sqrt();
            self.parameters[index] -= size * *mean / bias[0] / (root + self.epsilon);
        }
    }
}

/// Returns the size of a step that falls along a cosine, from the first to the last, after a share of the work.
pub(super) fn cosine([first, last]: [f64; 2], done: f64) -> f64 {
    last + (first - last) * (1.0 + (std::f64::consts::PI * done).cos()) / 2.0
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
