//! Names that the user may have meant.

/// Names that are longer are not compared.
const LONGEST: usize = 64;
/// So many names are reported at most.
const SHOWN: usize = 3;

/// Returns the end of a message: the names that look most like `wrong`, or nothing.
pub fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> String {
    let farthest = (wrong.chars().count() / 3).max(1);
    let mut found: Vec<(usize, &str)> = names
        .filter(|name| !name.is_empty() && name.len() <= LONGEST && wrong.len() <= LONGEST)
        .map(|name| (distance(wrong, name), name))
        .filter(|&(far, _)| far <= farthest)
        .collect();
    found.sort_unstable();
    found.dedup();
    match found.is_empty() {
        true => String::new(),
        false => {
            let names: Vec<_> = found.iter().take(SHOWN).map(|&(_, name)| name).collect();
            format!("; nearest: {}", names.join(", "))
        }
    }
}

/// The number of letters to add, leave out, change or swap with their neighbours to get from one
/// name to another; the case of letters does not count.
fn distance(one: &str, two: &str) -> usize {
    let letters = |name: &str| name.chars().flat_map(char::to_lowercase).collect::<Vec<_>>();
    let (one, two) = (letters(one), letters(two));
    // Rows of the table for the last two letters of `one`.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=two.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in two.iter().enumerate() {
            let changed = last[column] + usize::from(letter != other);
            let mut best = changed.min(last[column + 1] + 1).min(current[column] + 1);
            let swapped =
                row > 0 && column > 0 && one[row - 1] == *other && *letter == two[column - 1];
            if swapped {
                best = best.min(before[column - 1] + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut last, current);
    }
    last[two.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_counted_in_letters() {
        assert_eq!(distance("count", "count"), 0);
        assert_eq!(distance("coutn", "count"), 1);
        assert_eq!(distance("Count", "count"), 0);
        assert_eq!(distance("cont", "count"), 1);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn the_nearest_names_come_first() {
        let names = ["count", "counts", "account", "x"];
        assert_eq!(nearest("coutn", names.into_iter()), "; nearest: count");
        assert_eq!(nearest("countss", names.into_iter()), "; nearest: counts, count");
        assert_eq!(nearest("zebra", names.into_iter()), "");
    }
}
