//! Which requests are delayed, tampered with or failed.

use std::time::{Duration, Instant};

/// A kind of request. A lookup finds a name, for whatever it is wanted; a stat asks for what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code)] // a test takes what it needs
pub enum Operation {
    Lookup,
    Stat,
    SetAttributes,
    Create,
    Mknod,
    Mkdir,
    Open,
    Read,
    Write,
    Flush,
    Release,
    Fsync,
    Unlink,
    Rmdir,
    Rename,
    List,
    Usage,
    Access,
}

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code)] // a test takes what it needs
pub enum What {
    /// The request is served so much later.
    Delay(Duration),
    /// It fails with this errno, and nothing is done.
    Fail(i32),
    /// A read or a write moves no more than so many bytes.
    Short(usize),
    /// The lowest bit of the first byte that is read or written is turned over.
    FlipBit,
    /// No answer until the file system is unmounted, then EIO.
    Hang,
}

/// Which of the requests that fit a rule it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(dead_code)] // a test takes what it needs
enum Turn {
    Each,
    Every(u64),
    Nth(u64),
}

/// What happens to which requests.
#[derive(Clone, Debug)]
pub struct Rule {
    operation: Operation,
    what: What,
    turn: Turn,
    named: Option<String>,
    between: Option<(Duration, Duration)>,
}

#[allow(dead_code)] // a test takes what it needs
impl Rule {
    /// `what` to each request for `operation`.
    pub fn on(operation: Operation, what: What) -> Self {
        Rule { operation, what, turn: Turn::Each, named: None, between: None }
    }

    /// Only where the path below the mount point holds `text`.
    pub fn named(self, text: &str) -> Self {
        Rule { named: Some(text.to_string()), ..self }
    }

    /// Only from one moment to another, after the first request for the operation.
    pub fn between(self, from: Duration, to: Duration) -> Self {
        Rule { between: Some((from, to)), ..self }
    }

    /// Only every `n`th of those that fit otherwise.
    pub fn every(self, n: u64) -> Self {
        Rule { turn: Turn::Every(n), ..self }
    }

    /// Only the `n`th of those that fit otherwise, counted from 1.
    pub fn nth(self, n: u64) -> Self {
        Rule { turn: Turn::Nth(n), ..self }
    }
}

/// A rule at work.
#[derive(Debug)]
struct Active {
    rule: Rule,
    first: Option<Instant>,
    fitted: u64,
    fired: Vec<String>,
}

impl Active {
    fn fires(&mut self, operation: Operation, path: &str, now: Instant) -> bool {
        let rule = &self.rule;
        if operation != rule.operation || rule.named.as_ref().is_some_and(|text| !path.contains(text)) {
            return false;
        }
        let age = now - *self.first.get_or_insert(now);
        if rule.between.is_some_and(|(from, to)| age < from || age >= to) {
            return false;
        }
        self.fitted += 1;
        let fires = match rule.turn {
            Turn::Each => true,
            Turn::Every(n) => self.fitted.is_multiple_of(n),
            Turn::Nth(n) => self.fitted == n,
        };
        if fires {
            self.fired.push(path.to_string());
        }
        fires
    }
}

/// All rules at work.
#[derive(Debug, Default)]
pub struct Rules(Vec<Active>);

/// What happens to one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    pub delay: Duration,
    pub fail: Option<i32>,
    pub short: Option<usize>,
    pub flip: bool,
    pub hang: bool,
}

impl Rules {
    /// One more rule; its number.
    pub fn add(&mut self, rule: Rule) -> usize {
        self.0.push(Active { rule, first: None, fitted: 0, fired: Vec::new() });
        self.0.len() - 1
    }

    /// No rule does anything from now on.
    pub fn stop(&mut self) {
        self.0.iter_mut().for_each(|active| active.rule.turn = Turn::Nth(0));
    }

    /// The paths for which a rule fired, in order.
    pub fn fired(&self, rule: usize) -> &[String] {
        &self.0[rule].fired
    }

    /// What all rules together do to a request: delays add up, of the others the last one counts.
    pub fn fate(&mut self, operation: Operation, path: &str, now: Instant) -> Fate {
        let mut fate = Fate::default();
        for active in &mut self.0 {
            if active.fires(operation, path, now) {
                match active.rule.what {
                    What::Delay(time) => fate.delay += time,
                    What::Fail(errno) => fate.fail = Some(errno),
                    What::Short(bytes) => fate.short = Some(bytes),
                    What::FlipBit => fate.flip = true,
                    What::Hang => fate.hang = true,
                }
            }
        }
        fate
    }
}

#[test]
fn rules_take_the_requests_that_fit() {
    let mut rules = Rules::default();
    let ms = Duration::from_millis;
    let every = rules.add(Rule::on(Operation::Create, What::Delay(ms(5))).named("x").every(2));
    let third = rules.add(Rule::on(Operation::Create, What::Delay(ms(1))).nth(3));
    let late = rules.add(Rule::on(Operation::Create, What::Fail(libc::EIO)).between(ms(2), ms(4)));
    let start = Instant::now();
    let fates: Vec<Fate> = ["x1", "y1", "x2", "x3", "x4"]
        .iter()
        .zip(0..)
        .map(|(name, i)| rules.fate(Operation::Create, name, start + ms(i)))
        .collect();
    assert_eq!(rules.fate(Operation::Mkdir, "x", start), Fate::default());
    assert_eq!([every, third, late].map(|rule| rules.fired(rule).join(" ")), ["x2 x4", "x2", "x2 x3"]);
    assert_eq!(fates[2], Fate { delay: ms(6), fail: Some(libc::EIO), ..Fate::default() });
    rules.stop();
    assert_eq!(rules.fate(Operation::Create, "x5", start), Fate::default());
}
