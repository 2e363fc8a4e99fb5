//! The file of `-x`: how many items each task made before and after the stonewall, from one run to the next.
//!
//! Its first word is mdtest's: the number of items of one task. Where one number does not say it all (several
//! iterations, or directories and files that were stopped at different counts), lines of ours follow, which mdtest
//! does not read.

use crate::namespace::phase::Kind;

/// Items that each task made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// For whatever is not listed.
    pub first: u64,
    /// Iteration, kind and items, where they differ.
    pub listed: Vec<(u64, Kind, u64)>,
}

impl Counts {
    /// What was counted in each iteration, for files first.
    pub fn new(mut counted: Vec<(u64, Kind, u64)>) -> Option<Self> {
        let first = counted.iter().find(|c| c.1 == Kind::File).or(counted.first())?.2;
        counted.retain(|c| c.2 != first);
        Some(Counts { first, listed: counted })
    }

    /// Items of `kind` that each task made in `iteration`.
    pub fn of(&self, iteration: u64, kind: Kind) -> u64 {
        self.listed.iter().find(|c| c.0 == iteration && c.1 == kind).map_or(self.first, |c| c.2)
    }

    /// The file's text.
    pub fn text(&self) -> String {
        let mut text = self.first.to_string();
        for (iteration, kind, items) in &self.listed {
            text.push_str(&format!("\niteration {iteration} {} {items}", word(*kind)));
        }
        text
    }

    /// Reads the file's text; `None` where it is not such a text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let first = number(lines.next()?.trim())?;
        let listed = lines.filter(|l| !l.trim().is_empty()).map(listed).collect::<Option<Vec<_>>>()?;
        Some(Counts { first, listed })
    }
}

fn listed(line: &str) -> Option<(u64, Kind, u64)> {
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["iteration", iteration, "directories", items] => {
            Some((number(iteration)?, Kind::Directory, number(items)?))
        }
        ["iteration", iteration, "files", items] => Some((number(iteration)?, Kind::File, number(items)?)),
        _ => None,
    }
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Directory => "directories",
        Kind::File => "files",
    }
}

/// Digits only: no sign, no blank.
fn number(text: &str) -> Option<u64> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_number_where_one_says_it_all() {
        let counts = Counts::new(vec![(0, Kind::File, 93406)]).unwrap();
        assert_eq!(counts.text(), "93406");
        assert_eq!(Counts::parse("93406\n"), Some(counts));
        assert_eq!(Counts::new(vec![(0, Kind::Directory, 5), (0, Kind::File, 5)]).unwrap().text(), "5");
        assert_eq!(Counts::new(vec![]), None);
    }

    #[test]
    fn differing_counts_are_listed() {
        let counted =
            vec![(0, Kind::Directory, 7), (0, Kind::File, 5), (1, Kind::Directory, 5), (1, Kind::File, 6)];
        let counts = Counts::new(counted.clone()).unwrap();
        let back = Counts::parse(&counts.text()).unwrap();
        for (iteration, kind, items) in counted {
            assert_eq!(back.of(iteration, kind), items);
        }
    }

    #[test]
    fn anything_else_is_none() {
        for text in
            ["", "x", "-5", "5x", "5 6", "Linux version 6", "5\niteration 0 files", "99999999999999999999999"]
        {
            assert_eq!(Counts::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(?s).*") {
            let _ = Counts::parse(&text);
        }
    }
}
