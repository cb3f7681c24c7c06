//! A table of words, and how it is written: for terminals and in Markdown.

/// Words in rows below a head. The first columns are left-aligned, the others are numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    /// How many columns are no numbers.
    pub(super) names: usize,
}

impl Table {
    /// With blanks between the columns.
    pub(super) fn text(&self) -> String {
        let width = |column: usize| {
            let lines = self.rows.iter().chain([&self.head]);
            lines.map(|row| row[column].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let words = row.iter().zip(&widths).enumerate().map(|(column, (word, &width))| {
                if column < self.names {
                    format!("{word:<width$}")
                } else {
                    format!("{word:>width$}")
                }
            });
            words.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
        };
        [&self.head].into_iter().chain(&self.rows).map(line).collect()
    }

    /// As GitHub reads it.
    pub(super) fn markdown(&self) -> String {
        let line = |row: &[String]| format!("| {} |\n", row.join(" | "));
        let rule = |column| if column < self.names { "---" } else { "---:" };
        let rules: Vec<&str> = (0..self.head.len()).map(rule).collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}|{}|\n{rows}", line(&self.head), rules.join("|"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms() {
        let words = |row: &[&str]| row.iter().map(|word| (*word).to_owned()).collect();
        let table = Table {
            head: words(&["method", "s"]),
            rows: vec![words(&["bf", "1000"]), words(&["astar/pl2", "-"])],
            names: 1,
        };
        assert_eq!(table.text(), "method        s\nbf         1000\nastar/pl2     -\n");
        assert_eq!(
            table.markdown(),
            "| method | s |\n|---|---:|\n| bf | 1000 |\n| astar/pl2 | - |\n"
        );
    }
}
