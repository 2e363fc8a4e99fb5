//! The points of a sweep: numbers of clients by numbers of tasks by values of options, and in what order they are run.

use crate::analysis::scaling::Varied;
use crate::error::Error;
use crate::namespace::permutation::Permutation;
use serde::{Deserialize, Serialize};

/// Runs of a sweep at most.
const MOST_RUNS: u64 = 10_000;
/// Tasks of a run at most: ranks of MPI are 32-bit.
const MOST_TASKS: u64 = 0x7fff_ffff;
/// Values that are longer are numbered in names of files.
const MOST_BYTES_OF_VALUE: usize = 24;

/// What makes a sweep this one and no other: only the same is gone on with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// Numbers of clients.
    pub clients: Vec<u64>,
    /// Numbers of tasks on each client.
    pub tasks_per_client: Vec<u64>,
    /// Options that are varied; all their values are combined.
    pub vary: Vec<Vary>,
    /// Runs of each point.
    pub repeats: u64,
    /// Order of the runs.
    pub order: Order,
    /// Seed of the shuffled order.
    pub seed: u64,
    /// The hosts, of which the first are taken; none where the launcher knows.
    pub hosts: Vec<String>,
    /// The program that is run.
    pub program: String,
    /// Its options.
    pub arguments: Vec<String>,
}

/// An option that is varied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vary {
    /// The option as typed: `-w`, `--max-errors`.
    pub option: String,
    /// Its values.
    pub values: Vec<String>,
}

/// Order of the runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// All points once, then all again: what changes with time meets all alike.
    Interleaved,
    /// All runs in the order of a seed.
    Shuffled,
    /// The repeats of a point behind each other.
    Grouped,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// What its files are called: `c2-t4-w1k-r1`.
    pub name: String,
    /// Clients, each a host.
    pub clients: u64,
    /// Tasks on each.
    pub tasks_per_client: u64,
    /// Values of the varied options.
    pub varied: Vec<Varied>,
    /// Which of the repeats, from 1.
    pub repeat: u64,
}

impl Order {
    /// The order of this name; interleaved for any other.
    pub fn named(name: &str) -> Order {
        match name {
            "shuffled" => Order::Shuffled,
            "grouped" => Order::Grouped,
            _ => Order::Interleaved,
        }
    }
}

impl Point {
    /// Tasks in all.
    pub fn tasks(&self) -> u64 {
        self.clients.saturating_mul(self.tasks_per_client)
    }

    /// `2 clients x 4 tasks`.
    pub fn place(&self) -> String {
        let many = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        format!("{} x {}", many(self.clients, "client"), many(self.tasks_per_client, "task"))
    }

    /// The same with the varied values, `2 clients x 4 tasks, -w=1k`.
    pub fn title(&self) -> String {
        let varied = self.varied.iter().map(|v| format!(", {}={}", v.option, v.value));
        std::iter::once(self.place()).chain(varied).collect()
    }
}

impl Definition {
    /// All runs, in their order. Points follow each other by clients, then tasks, then values, as they were given.
    ///
    /// # Errors
    /// [`Error::Refused`] where there are too many runs or tasks.
    pub fn points(&self) -> Result<Vec<Point>, Error> {
        if self.repeats == 0 {
            return Err(Error::Refused("--repeats 0 is not allowed: allowed is 1 or more".to_string()));
        }
        let lengths = [self.clients.len(), self.tasks_per_client.len()];
        let lengths = lengths.into_iter().chain(self.vary.iter().map(|vary| vary.values.len()));
        let runs = lengths.fold(self.repeats, |runs, length| runs.saturating_mul(length as u64));
        if runs > MOST_RUNS {
            return Err(Error::Refused(format!(
                "the sweep has more than {MOST_RUNS} runs: fewer of --clients, --tasks-per-client, --vary, --repeats are allowed"
            )));
        }
        let mut points = Vec::new();
        for &clients in &self.clients {
            for &tasks_per_client in &self.tasks_per_client {
                if clients.checked_mul(tasks_per_client).is_none_or(|tasks| tasks > MOST_TASKS) {
                    return Err(Error::Refused(format!(
                        "--clients {clients} with --tasks-per-client {tasks_per_client} is not allowed: allowed are up to {MOST_TASKS} tasks"
                    )));
                }
                for (name, varied) in combinations(&self.vary) {
                    let name = format!("c{clients}-t{tasks_per_client}{name}");
                    points.push(Point { name, clients, tasks_per_client, varied, repeat: 1 });
                }
            }
        }
        Ok(self.in_order(&points))
    }

    /// Where values of the varied options stand among those given, to sort by.
    pub fn place_of(&self, varied: &[Varied]) -> Vec<Option<usize>> {
        let place = |(vary, own): (&Vary, &Varied)| vary.values.iter().position(|value| *value == own.value);
        self.vary.iter().zip(varied).map(place).collect()
    }

    fn in_order(&self, points: &[Point]) -> Vec<Point> {
        let repeated = |point: &Point, repeat: u64| {
            let name = format!("{}-r{repeat}", point.name);
            Point { name, repeat, ..point.clone() }
        };
        if self.order == Order::Grouped {
            return points.iter().flat_map(|p| (1..=self.repeats).map(move |r| repeated(p, r))).collect();
        }
        let rounds: Vec<Point> =
            (1..=self.repeats).flat_map(|r| points.iter().map(move |p| repeated(p, r))).collect();
        if self.order == Order::Interleaved || rounds.is_empty() {
            return rounds;
        }
        let shuffled = Permutation::new(rounds.len() as u64, self.seed);
        let place = |index: u64| usize::try_from(shuffled.at(index)).unwrap_or(usize::MAX);
        (0..rounds.len() as u64).filter_map(|index| rounds.get(place(index)).cloned()).collect()
    }
}

/// The options of `--vary`: `w=1k,4k` or `max-errors=1,10`, with or without the hyphens.
///
/// # Errors
/// [`Error::Refused`] for what has no option, no value or one twice.
pub fn vary(given: &[String]) -> Result<Vec<Vary>, Error> {
    let mut all: Vec<Vary> = Vec::new();
    for text in given {
        let refuse = |why: &str| {
            Err(Error::Refused(format!("--vary '{text}' is not allowed: {why}, as in w=1k,4k,16k")))
        };
        let Some((name, values)) = text.split_once('=') else {
            return refuse("allowed is an option with values");
        };
        let name = name.trim_start_matches('-');
        let option = match name.chars().count() {
            0 => return refuse("there is no option"),
            1 => format!("-{name}"),
            _ => format!("--{name}"),
        };
        if all.iter().any(|vary| vary.option == option) {
            return refuse("the option is there twice");
        }
        let values: Vec<String> = values.split(',').map(String::from).collect();
        if values.iter().any(String::is_empty) {
            return refuse("a value is missing");
        }
        if (1..values.len()).any(|i| values[..i].contains(&values[i])) {
            return refuse("a value is there twice");
        }
        all.push(Vary { option, values });
    }
    Ok(all)
}

/// Every combination of values, with what is added to names of files for it.
fn combinations(vary: &[Vary]) -> Vec<(String, Vec<Varied>)> {
    let mut all = vec![(String::new(), Vec::new())];
    for Vary { option, values } in vary {
        let names = file_names(values);
        let mut more = Vec::new();
        for (name, varied) in &all {
            for (value, own) in values.iter().zip(&names) {
                let mut varied: Vec<Varied> = varied.clone();
                varied.push(Varied { option: option.clone(), value: value.clone() });
                let option: String =
                    option.trim_start_matches('-').chars().filter(|c| is_plain(*c)).collect();
                more.push((format!("{name}-{option}{own}"), varied));
            }
        }
        all = more;
    }
    all
}

/// Values as parts of names of files; numbered where that would be long or not tell them apart.
fn file_names(values: &[String]) -> Vec<String> {
    let is_name = |value: &String| value.len() <= MOST_BYTES_OF_VALUE && value.chars().all(is_plain);
    if values.iter().all(is_name) {
        values.to_vec()
    } else {
        (1..=values.len()).map(|number| format!(".{number}")).collect()
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '.' || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(order: Order, given: &[&str], repeats: u64) -> Definition {
        Definition {
            clients: vec![1, 2],
            tasks_per_client: vec![1, 4],
            vary: vary(&given.iter().map(ToString::to_string).collect::<Vec<_>>()).unwrap(),
            repeats,
            order,
            seed: 3,
            hosts: Vec::new(),
            program: "mdtest-rs".to_string(),
            arguments: Vec::new(),
        }
    }

    fn names(definition: &Definition) -> Vec<String> {
        definition.points().unwrap().into_iter().map(|point| point.name).collect()
    }

    #[test]
    fn rounds_and_groups_have_all_runs_in_their_order() {
        let rounds = names(&definition(Order::Interleaved, &[], 2));
        assert_eq!(rounds[..5], ["c1-t1-r1", "c1-t4-r1", "c2-t1-r1", "c2-t4-r1", "c1-t1-r2"]);
        let groups = names(&definition(Order::Grouped, &[], 2));
        assert_eq!(groups[..3], ["c1-t1-r1", "c1-t1-r2", "c1-t4-r1"]);
        let shuffled = names(&definition(Order::Shuffled, &[], 2));
        assert!(shuffled != rounds && shuffled != groups);
        assert_eq!(shuffled, names(&definition(Order::Shuffled, &[], 2)), "a seed is an order");
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        assert_eq!(sorted(shuffled), sorted(rounds.clone()));
        assert_eq!(sorted(groups), sorted(rounds));
    }

    #[test]
    fn values_are_combined_and_name_files() {
        let points = definition(Order::Interleaved, &["w=1k,4k", "--max-errors=5"], 1).points().unwrap();
        assert_eq!((points.len(), points[1].name.as_str()), (8, "c1-t1-w4k-maxerrors5-r1"));
        assert_eq!(points[1].title(), "1 client x 1 task, -w=4k, --max-errors=5");
        let points = definition(Order::Interleaved, &["d=/a/b,../c"], 1).points().unwrap();
        assert_eq!(points[1].name, "c1-t1-d.2-r1", "no value leads out of the folder");
    }

    #[test]
    fn what_varies_nothing_is_refused() {
        for (given, part) in [
            ("w", "option"),
            ("=1", "no option"),
            ("w=", "missing"),
            ("w=1,,2", "missing"),
            ("w=1,1", "twice"),
        ] {
            let error = vary(&[given.to_string()]).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(&format!("'{given}'")), "{error}");
        }
        assert!(vary(&["w=1".to_string(), "-w=2".to_string()]).unwrap_err().to_string().contains("twice"));
    }

    #[test]
    fn too_much_is_refused_before_it_is_made() {
        let many = Definition { repeats: u64::MAX, ..definition(Order::Grouped, &[], 1) };
        assert!(many.points().unwrap_err().to_string().contains("10000 runs"));
        let large = Definition { clients: vec![u64::MAX], ..definition(Order::Grouped, &[], 1) };
        assert!(large.points().unwrap_err().to_string().contains("2147483647 tasks"));
    }
}
