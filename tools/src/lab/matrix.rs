//! Small symmetric matrices.

/// A matrix as rows.
pub type Matrix = Vec<Vec<f64>>;

pub(crate) fn zero(size: usize) -> Matrix {
    vec![vec![0.0; size]; size]
}

/// Adds `weight` times the outer product of a vector with itself.
pub(crate) fn add_outer(sum: &mut Matrix, vector: &[f64], weight: f64) {
    for (row, left) in sum.iter_mut().zip(vector) {
        let scaled = weight * left;
        row.iter_mut().zip(vector).for_each(|(cell, right)| *cell += scaled * right);
    }
}

pub(crate) fn times(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}

pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// Returns the inverse of a symmetric positive definite matrix, by Cholesky decomposition; `None` if it is not positive
/// definite.
pub(crate) fn inverse(matrix: &Matrix) -> Option<Matrix> {
    let size = matrix.len();
    let mut lower = zero(size);
    for row in 0..size {
        for column in 0..=row {
            let rest = matrix[row][column] - dot(&lower[row][..column], &lower[column][..column]);
            lower[row][column] = if row > column {
                rest / lower[column][column]
            } else if rest > 0.0 {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    let columns = (0..size).map(|unit| {
        let mut column = vec![0.0; size];
        for row in unit..size {
            let known = dot(&lower[row][..row], &column[..row]);
            column[row] = (f64::from(u8::from(row == unit)) - known) / lower[row][row];
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|below| lower[below][row] * column[below]).sum();
            column[row] = (column[row] - known) / lower[row][row];
        }
        column
    });
    Some(columns.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let mut matrix = zero(3);
        for vector in [[1.0, 2.0, 3.0], [0.5, -1.0, 0.0], [2.0, 0.0, -1.0]] {
            add_outer(&mut matrix, &vector, 2.0);
        }
        let inverse = inverse(&matrix).unwrap();
        for (row, left) in matrix.iter().enumerate() {
            for (column, right) in inverse.iter().enumerate() {
                let expected = f64::from(u8::from(row == column));
                assert!((dot(left, right) - expected).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn what_has_no_inverse_has_none() {
        let mut matrix = zero(2);
        add_outer(&mut matrix, &[1.0, 1.0], 1.0);
        assert_eq!(inverse(&matrix), None);
        assert_eq!(inverse(&zero(1)), None);
    }
}
