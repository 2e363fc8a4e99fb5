//! A whole run on one task: what is drawn, planned, prepared, benched, printed and recorded.

pub mod console;
mod prepare;
mod progress;
pub mod terminal;

use crate::backend::dummy::Dummy;
use crate::backend::posix::{self, Posix};
use crate::backend::Backend;
use crate::bench::directories::Roots;
use crate::bench::gather;
use crate::bench::iteration::{Bench, Ended, Samples};
use crate::cli::Cli;
use crate::error::{self, Error};
use crate::measure::errors::Failure;
use crate::measure::meter::Meter;
use crate::namespace::phase::{Kind, Phase};
use crate::plan::{stonewall, Api, Plan};
use crate::report::{csv, findings, notes, text, verbose};
use crate::result::environment::{self, TestDirectory};
use crate::result::findings::Setting;
use crate::result::outcome::Iteration;
use crate::result::record::TaskCount;
use crate::result::statistics::widest;
use crate::team::Team;
use console::{print, say};
use prepare::{say_unless_said, Outputs, Scene};

/// Runs what `cli` asks for; the exit code, the same on all tasks. Collective.
///
/// # Errors
/// Why nothing was run, the same on all tasks.
pub fn run(cli: &Cli, team: &Team) -> Result<i32, Error> {
    let mut scene = Scene::set(cli, team)?;
    let (plan, rank) = (scene.plan.clone(), team.rank());
    let mut roots = Roots::prepare(&plan, team)?;
    posix::ignore_file_size_signal();
    let (code, whole) = match plan.api {
        Api::Posix => Session::new(team, &plan, &mut scene).run(Posix::new(&plan.posix)),
        Api::Dummy => Session::new(team, &plan, &mut scene).run(Dummy::new(&plan.dummy, rank)),
    };
    if plan.chosen.remove && whole {
        let removed = roots.remove(team);
        let kept = team.first_message(removed.err().as_deref());
        if let (Some(kept), true) = (kept, team.is_root()) {
            say(&format!("warning: {kept}"));
        }
    }
    scene.finish(team, code)
}

/// The run proper.
struct Session<'a> {
    team: &'a Team,
    plan: &'a Plan,
    scene: &'a mut Scene,
    meter: Meter,
    logged: Vec<Phase>,
    made: Vec<(u64, Kind, u64)>,
    rank_csv: String,
    failed: u64,
    code: i32,
}

impl<'a> Session<'a> {
    fn new(team: &'a Team, plan: &'a Plan, scene: &'a mut Scene) -> Self {
        let (logged, made, rank_csv) = (Vec::new(), Vec::new(), String::new());
        Session {
            team,
            plan,
            scene,
            meter: Meter::default(),
            logged,
            made,
            rank_csv,
            failed: 0,
            code: error::DONE,
        }
    }

    /// The exit code, and whether the run came to its end.
    fn run<B: Backend>(mut self, mut backend: B) -> (i32, bool) {
        self.scene.look_at_file_systems(self.team, self.plan, &mut backend);
        if self.team.is_root() {
            self.scene.record.warnings.iter().for_each(|line| say(&format!("warning: {line}")));
            print(&self.scene.header(self.plan));
        }
        let (mode, most) = (self.plan.output.progress, self.plan.max_iterations);
        let display = self.team.is_root().then(|| progress::start(mode, &self.meter, most)).flatten();
        let mut whole = true;
        for &tasks in &self.plan.task_counts {
            let ended = if tasks == self.team.tasks() {
                self.task_count(self.team, &mut backend).is_some()
            } else {
                // Tasks that have no part in it learn from the others whether the run goes on.
                let ended = self.team.part(tasks).and_then(|part| self.task_count(&part, &mut backend));
                self.team.any(ended.is_some())
            };
            if ended {
                whole = false;
                break;
            }
        }
        drop(display);
        if self.team.is_root() {
            if whole {
                self.write_stonewall_file();
            }
            print(&text::footer(self.plan.output.dialect, &text::date(&environment::now())));
            // Behind mdtest's last line: programs that read both streams as one look no further.
            if !self.plan.output.quiet {
                let screen = |result| findings::screen(result, terminal::wants_colours());
                let screens: Vec<String> = self.scene.record.results.iter().map(screen).collect();
                console::show_last(&screens.join("\n"));
            }
        }
        (self.code, whole)
    }

    /// The whole test for one number of tasks; what ended it early. Collective of `part`.
    fn task_count<B: Backend>(&mut self, part: &Team, backend: &mut B) -> Option<Ended> {
        if part.is_root() {
            print(&text::items_line(self.plan, part.tasks()));
        }
        let host = self.scene.host.clone();
        let mut logged = std::mem::take(&mut self.logged);
        let mut bench = Bench::new(self.plan, part, backend, &host, &mut logged);
        bench.failed = self.failed;
        bench.meter = self.meter.clone();
        let mut iterations = Vec::new();
        let mut ended = None;
        for number in 0..self.plan.max_iterations {
            let (samples, outcome) = self.iteration(&mut bench, number);
            iterations.extend(outcome);
            ended = samples.ended;
            if ended.is_some() || self.known_well(part, number + 1, &iterations) {
                break;
            }
        }
        self.failed = bench.failed;
        self.logged = logged;
        if part.is_root() {
            self.report(part.tasks(), iterations, ended.as_ref());
        }
        ended
    }

    /// Whether `--until-ci` has what it wants after so many iterations: rank 0 judges. Collective where it is asked for.
    fn known_well(&mut self, part: &Team, number: u64, iterations: &[Iteration]) -> bool {
        let Some(percent) = self.plan.until_ci_percent.filter(|_| number >= self.plan.iterations) else {
            return false;
        };
        let widest = widest(iterations).filter(|(_, width)| 100.0 * width > percent);
        let mut wide = [u64::from(widest.is_some())];
        part.share(&mut wide);
        if let (Some((phase, width)), true) = (widest, number == self.plan.max_iterations) {
            self.warn(notes::still_wide(phase, width, percent, number));
        }
        wide[0] == 0
    }

    fn iteration<B: Backend>(&mut self, bench: &mut Bench<B>, number: u64) -> (Samples, Option<Iteration>) {
        let samples = bench.iteration(number);
        let places = if self.plan.output.verbosity >= 3 { bench.places() } else { Vec::new() };
        let scene = &*self.scene;
        let outcome = gather::iteration(self.plan, bench.team, number, &samples, &|rank| scene.host_of(rank));
        if let Some(outcome) = &outcome {
            print(&text::stonewalls(outcome));
            if self.plan.output.verbosity >= 1 {
                print(&verbose::iteration(self.plan, outcome, &places));
            }
            for line in notes::worn_out(self.plan, outcome) {
                self.warn(line);
            }
            self.note_left(samples.left.as_deref());
            self.made.extend(&samples.made);
        }
        (samples, outcome)
    }

    /// Prints and records what one number of tasks came to: at rank 0.
    fn report(&mut self, tasks: u64, iterations: Vec<Iteration>, ended: Option<&Ended>) {
        let record = &self.scene.record;
        let remote = record.test_directories.iter().any(TestDirectory::is_remote);
        let setting = Setting { harness_ns: record.harness_ns, remote };
        let result = TaskCount::new(self.plan, tasks, iterations, &setting);
        print(&text::summary(self.plan, &result));
        for line in notes::errors(&result) {
            say(&format!("error: {line}"));
        }
        self.judge(&result, ended);
        if self.plan.output.rank_csv.is_some() {
            let first = self.rank_csv.is_empty();
            self.rank_csv += &csv::rank_details(&result, self.plan.items_per_task, first);
        }
        self.scene.record.results.push(result);
        let written = self.scene.outputs.write(&self.rank_csv, &self.scene.record);
        self.environment_fault(written);
    }

    /// What the results mean for the exit code.
    fn judge(&mut self, result: &TaskCount, ended: Option<&Ended>) {
        let errors = || result.iterations.iter().flat_map(|i| &i.phases).flat_map(|p| &p.errors);
        if errors().any(|e| e.kind == Failure::DataDiffer.name()) {
            self.code = error::DATA_DIFFER;
        } else if errors().next().is_some() && self.code == error::DONE {
            self.code = error::OPERATIONS_FAILED;
        }
        let (line, code) = match ended {
            None => return,
            Some(Ended::Failed(line)) => (line, error::OPERATIONS_FAILED),
            Some(Ended::Environment(line)) => (line, error::ENVIRONMENT),
        };
        let left = match self.plan.chosen.create {
            true => format!(", what it made is left in {}", self.plan.directories.join("@")),
            false => String::new(),
        };
        say(&format!("error: {line}: the run ends here{left}"));
        self.scene.record.ended_early = Some(line.clone());
        if self.code == error::DONE || code == error::ENVIRONMENT {
            self.code = code;
        }
    }

    fn note_left(&mut self, left: Option<&str>) {
        if let Some(left) = left {
            self.warn(left.to_string());
            if self.code == error::DONE {
                self.code = error::OPERATIONS_FAILED;
            }
        }
    }

    fn warn(&mut self, line: String) {
        say(&format!("warning: {line}"));
        self.scene.record.warnings.push(line);
    }

    fn environment_fault(&mut self, result: Result<(), Error>) {
        if let Err(error) = result {
            say_unless_said(&error);
            self.code = error::ENVIRONMENT;
        }
    }

    fn write_stonewall_file(&mut self) {
        let counts = stonewall::Counts::new(std::mem::take(&mut self.made));
        if let Some(counts) = counts.filter(|_| self.plan.chosen.create) {
            let written = Outputs::write_stonewall(self.plan.stonewall_file.as_deref(), &counts.text());
            self.environment_fault(written);
        }
    }
}
