//! The columns of mdtest's tables, which versions order in their own ways.

/// What a column is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Tasks (`--showRankStatistics`).
    Tasks,
    /// Iterations.
    Iterations,
}

/// What a column shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Largest.
    Max,
    /// Smallest.
    Min,
    /// Arithmetic mean.
    Mean,
    /// Standard deviation.
    StdDev,
}

/// A column.
pub type Column = (Over, Value);

/// Those of a table whose heading is not there.
pub const USUAL: [Column; 4] = [
    (Over::Iterations, Value::Max),
    (Over::Iterations, Value::Min),
    (Over::Iterations, Value::Mean),
    (Over::Iterations, Value::StdDev),
];

/// The columns that a heading names, if `line` is one.
pub fn columns(line: &str) -> Option<Vec<Column>> {
    let rest = line.strip_prefix("Operation")?;
    let mut over = Over::Iterations;
    let mut found = Vec::new();
    for word in rest.split_whitespace() {
        let value = match word {
            "Rank:" => {
                over = Over::Tasks;
                continue;
            }
            "Iteration:" => {
                over = Over::Iterations;
                continue;
            }
            "Max" => Value::Max,
            "Min" => Value::Min,
            "Mean" => Value::Mean,
            "Std" => Value::StdDev,
            _ => continue,
        };
        found.push((over, value));
    }
    found.contains(&(Over::Iterations, Value::Mean)).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_in_the_order_of_the_heading() {
        assert_eq!(
            columns("Operation                      Max            Min           Mean        Std Dev")
                .unwrap(),
            USUAL
        );
        let with_tasks = columns(
            "Operation     per Rank: Max            Min           Mean      per Iteration: Max            Min           Mean        Std Dev",
        );
        assert_eq!(with_tasks.unwrap()[2..5], [(Over::Tasks, Value::Mean), USUAL[0], USUAL[1]]);
        let of_3_4 = columns(
            "Operation         per Rank:      Max            Min           Mean          Std Dev     per Iteration: Max            Min           Mean",
        );
        assert_eq!(of_3_4.unwrap()[3..], [(Over::Tasks, Value::StdDev), USUAL[0], USUAL[1], USUAL[2]]);
        assert_eq!(columns("Operation               Duration              Rate"), None);
    }
}
