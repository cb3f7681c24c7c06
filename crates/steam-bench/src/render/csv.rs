//! All checks of a run as lines of figures.

use crate::outcome::Ending;
use crate::run::Run;

/// A line for each check, with a head.
pub fn csv(run: &Run) -> String {
    let mut text = "suite,model,algorithm,heuristic,compaction,scale,ending,length,states,seconds,\
        bytes,mean\n"
        .to_owned();
    for cell in &run.cells {
        let method = &cell.method;
        for check in &cell.checks {
            let ending = match &check.ending {
                Ending::Found => "found",
                Ending::Time => "time",
                Ending::Memory => "memory",
                Ending::NotFound(_) => "not-found",
            };
            let words = [
                quoted(&run.name),
                quoted(&cell.model),
                quoted(&method.algorithm),
                quoted(method.heuristic.as_deref().unwrap_or_default()),
                quoted(&method.compaction),
                check.scale.to_string(),
                ending.to_owned(),
                check.length.map_or_else(String::new, |length| length.to_string()),
                check.states.to_string(),
                format!("{:.3}", check.seconds),
                check.bytes.to_string(),
                check.mean().map_or_else(String::new, |mean| format!("{mean:.3}")),
            ];
            text += &(words.join(",") + "\n");
        }
    }
    text
}

/// Quoted where it has to be.
fn quoted(word: &str) -> String {
    if word.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::tests::cell;
    use crate::run::tests::run;

    #[test]
    fn every_check_has_a_line() {
        let checks = [(2, Ok(1.0)), (4, Err(Ending::Time))];
        let text = csv(&run(vec![cell(("bf", "mb", "lgc"), "a, \"b\"", &checks)]));
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines[0], "suite,\"a, \"\"b\"\"\",bf,mb,lgc,2,found,4,20,1.000,2097152,3.557");
        assert_eq!(lines[1], "suite,\"a, \"\"b\"\"\",bf,mb,lgc,4,time,,0,0.000,0,");
    }
}
