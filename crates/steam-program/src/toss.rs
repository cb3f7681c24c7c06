//! Choices of a value by `steam_toss`. Among more values than can be explored a few are tried, and that the others
//! were not is reported.

/// Choices among more values than this are not explored as a whole.
const LARGEST: u32 = 1000;

/// How many values of such a choice are tried.
const TRIED: u32 = 6;

/// The last choice of a toss among the values from zero to `largest`: there is one for each value,
/// or for each that is tried, and then one for all the others.
pub(super) fn last_choice(largest: u32) -> u32 {
    if largest > LARGEST { TRIED } else { largest }
}

/// The value that a choice stands for; none where it stands for all that are not tried. Those that are tried are the
/// smallest and largest ones, as signed numbers, too.
pub fn tossed(largest: u32, choice: u32) -> Option<u32> {
    match choice {
        _ if largest <= LARGEST => Some(choice),
        0..=2 => Some(choice),
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
        let values: Vec<_> = (0..=last_choice(3)).map(|choice| tossed(3, choice)).collect();
        assert_eq!(values, [Some(0), Some(1), Some(2), Some(3)]);
    }

    #[test]
    fn of_many_values_the_ends_are_tried() {
        let values: Vec<_> =
            (0..=last_choice(u32::MAX)).map(|choice| tossed(u32::MAX, choice)).collect();
        let signed: Vec<_> = values.iter().flatten().map(|&value| value as i32).collect();
        assert_eq!(signed, [0, 1, 2, i32::MAX, i32::MIN, -1]);
        assert_eq!(values.last(), Some(&None));
    }
}
