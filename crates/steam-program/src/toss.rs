//! Choices of a value by `steam_toss`. Among more values than can be explored a few are tried, and that the others
//! were not is told.

/// Choices among more values than this are not explored as a whole.
const LARGEST: u32 = 1000;

/// How many values of such a choice are tried.
const TRIED: u32 = 6;

/// The last of the ways to go on, of a choice among the values from zero to `largest`: there is one for each value,
/// or for each that is tried, and then one for all the others.
pub(super) fn last_way(largest: u32) -> u32 {
    if largest > LARGEST { TRIED } else { largest }
}

/// The value that a way stands for; none where it stands for all that are not tried. Those that are tried are the
/// smallest and largest ones, as signed numbers, too.
pub fn tossed(largest: u32, way: u32) -> Option<u32> {
    match way {
        _ if largest <= LARGEST => Some(way),
        0..=2 => Some(way),
        3 => Some(largest / 2),
        4 => Some(largest / 2 + 1),
        5 => Some(largest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_are_all_tried() {
        let ways: Vec<_> = (0..=last_way(3)).map(|way| tossed(3, way)).collect();
        assert_eq!(ways, [Some(0), Some(1), Some(2), Some(3)]);
    }

    #[test]
    fn of_many_values_the_ends_are_tried() {
        let ways: Vec<_> = (0..=last_way(u32::MAX)).map(|way| tossed(u32::MAX, way)).collect();
        let signed: Vec<_> = ways.iter().flatten().map(|&value| value as i32).collect();
        assert_eq!(signed, [0, 1, 2, i32::MAX, i32::MIN, -1]);
        assert_eq!(ways.last(), Some(&None));
    }
}
