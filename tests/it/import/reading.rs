//! The numbers of mdtest's tables, read as simply as can be: nothing of the importer is used.

use std::collections::BTreeMap;

/// A table: what it shows, of how many iterations, and the numbers of each row that are not all zero. Tables of zeros
/// are none.
#[derive(Debug, PartialEq)]
pub struct Numbers {
    pub times: bool,
    pub iterations: String,
    pub rows: BTreeMap<String, Vec<String>>,
}

/// The tables in a text.
pub fn tables(text: &str) -> Vec<Numbers> {
    let parts = text.split("SUMMARY").skip(1);
    parts.map(table).filter(|table| !table.rows.is_empty()).collect()
}

fn table(part: &str) -> Numbers {
    let mut lines = part.lines();
    let title = lines.next().unwrap_or_default();
    let iterations =
        title.split_once("(of ").map_or("", |(_, rest)| rest.split(' ').next().unwrap_or_default());
    let heading = lines.find(|line| line.contains("Operation")).unwrap_or_default();
    // Where the deviation stands among the columns of tasks, there is none of iterations.
    let tasks_first = heading.find("Std Dev") < heading.find("per Iteration");
    let ends = ["tasks, ", "-- finished", "-- started", "was launched", "Per process"];
    let lines = lines.take_while(|line| !ends.iter().any(|end| line.contains(end)));
    let rows = lines.filter_map(|line| row(line, tasks_first));
    Numbers { times: title.contains("time"), iterations: iterations.to_string(), rows: rows.collect() }
}

/// Label and numbers of a row. A number that was cut off, and a deviation that is not there, are dashes.
fn row(line: &str, tasks_first: bool) -> Option<(String, Vec<String>)> {
    let line = line.rsplit("<stdout>:").next()?.replace(':', " ");
    let words: Vec<&str> = line.split_whitespace().collect();
    let label = words.get(..2)?.join(" ");
    let kinds = ["Directory", "File", "Tree"];
    let numbers = words.get(2..)?;
    if !kinds.contains(&words[0]) || ![4, 7].contains(&numbers.len()) {
        return None;
    }
    let mut numbers: Vec<String> = numbers
        .iter()
        .map(|n| n.split_once('.').filter(|(_, part)| part.len() == 3).map_or("-", |_| n).to_string())
        .collect();
    if tasks_first {
        numbers.remove(3);
        numbers.push("-".to_string());
    }
    numbers.iter().any(|n| !n.trim_matches(['0', '.', '-']).is_empty()).then_some((label, numbers))
}
