//! The choice of the table columns that fit a width.

/// Returns which columns of a table to show in `room` characters (`None`: unlimited). `widths` are the widths of the
/// columns, with `gap` characters between two of them. The columns of `spare` are left out in order until the rest
/// fits.
#[must_use]
pub fn fitting<const N: usize>(widths: [usize; N], gap: usize, spare: &[usize], room: Option<usize>) -> [bool; N] {
    let mut shown = [true; N];
    let Some(room) = room else { return shown };
    let mut all = widths.iter().map(|width| width + gap).sum::<usize>().saturating_sub(gap);
    for &column in spare {
        if all <= room {
            break;
        }
        shown[column] = false;
        all -= widths[column] + gap;
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_left_out_until_the_others_fit() {
        let shown = |room| fitting([5, 3, 4], 2, &[1, 2], room);
        assert_eq!(shown(None), [true; 3]);
        assert_eq!(shown(Some(16)), [true; 3]);
        assert_eq!(shown(Some(15)), [true, false, true]);
        assert_eq!(shown(Some(11)), [true, false, true]);
        assert_eq!(shown(Some(10)), [true, false, false]);
        assert_eq!(shown(Some(1)), [true, false, false]);
    }
}
