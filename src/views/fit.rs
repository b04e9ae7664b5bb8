//! The widths of table columns, and the choice of those that fit.

/// The maximum width of a column. Longer cells overflow it: padding every row to the width of a foreign text would take
/// any amount of memory, and the standard library pads to at most 65,535 characters.
const WIDEST: usize = 100;

/// Returns the width in characters of a column with these cells.
pub fn column_width(cells: impl IntoIterator<Item: AsRef<str>>) -> usize {
    let width = |cell: &str| cell.chars().take(WIDEST).count();
    cells.into_iter().map(|cell| width(cell.as_ref())).max().unwrap_or(0)
}

/// Returns which columns of a table to show in `room` characters (`None`: unlimited). `widths` are the widths of the
/// columns, with `gap` characters between two of them. The columns of `spare` are omitted in order until the rest fits.
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

    #[test]
    fn a_column_is_as_wide_as_its_longest_cell_within_a_limit() {
        assert_eq!(column_width(["a", "€€€", ""]), 3);
        assert_eq!(column_width(Vec::<String>::new()), 0);
        assert_eq!(column_width(["x".repeat(1 << 16), "y".into()]), WIDEST);
    }
}
