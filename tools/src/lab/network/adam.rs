//! Adam with decoupled weight decay (AdamW; Loshchilov and Hutter 2019).

/// The decay of the mean and of the mean square of the gradient (Kingma and Ba 2015).
const DECAY: [f32; 2] = [0.9, 0.999];

/// The share by which a weight decays in a step of rate 1.
const WEIGHT_DECAY: f32 = 0.01;

/// The limit of weights: their products with activations, in the units of the network, fit into 16 bits.
const LIMIT: f32 = 1.98;

/// Parameters and the averages of their gradients.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// The parameters.
    pub parameters: Vec<f32>,
    /// The means of the gradients.
    pub means: Vec<f32>,
    /// The means of their squares.
    pub squares: Vec<f32>,
    /// The number of steps made.
    pub steps: u32,
}

impl Adam {
    pub(super) fn new(parameters: Vec<f32>) -> Self {
        let zeros = vec![0.0; parameters.len()];
        Self { parameters, means: zeros.clone(), squares: zeros, steps: 0 }
    }

    /// Makes a step down a gradient, the sum of these parts times `factor`. The last `free` parameters have no limit.
    pub(super) fn step(&mut self, rate: f32, parts: &[Vec<f32>], factor: f32, free: usize) {
        self.steps += 1;
        let bias = DECAY.map(|decay| 1.0 - f64::from(decay).powi(self.steps as i32) as f32);
        let limited = self.parameters.len() - free;
        for index in 0..self.parameters.len() {
            let sum: f32 = parts.iter().map(|part| part[index]).sum();
            let slope = sum * factor;
            let (mean, square) = (&mut self.means[index], &mut self.squares[index]);
            *mean += (1.0 - DECAY[0]) * (slope - *mean);
            *square += (1.0 - DECAY[1]) * (slope * slope - *square);
            let step = *mean / bias[0] / ((*square / bias[1]).sqrt() + 1e-8);
            let next = self.parameters[index] * (1.0 - rate * WEIGHT_DECAY) - rate * step;
            self.parameters[index] = if index < limited { next.clamp(-LIMIT, LIMIT) } else { next };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first step has the size of the rate, whatever the gradient; the minimum of a parabola is found.
    #[test]
    fn steps_go_down() {
        let mut adam = Adam::new(vec![1.0, -1.5, 0.0]);
        adam.step(0.1, &[vec![3.0, -7.0, 0.0]], 1.0, 1);
        let expected = [0.899, -1.3985, 0.0];
        assert!(adam.parameters.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-4));
        for _ in 0..2_000 {
            let slopes = adam.parameters.iter().map(|at| at - 0.5).collect();
            adam.step(0.01, &[slopes], 1.0, 1);
        }
        assert!(adam.parameters.iter().all(|at| (at - 0.5).abs() < 0.01), "{adam:?}");
    }
}
