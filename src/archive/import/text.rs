//! mdtest's text in all dialects, with whatever else stands in the log.

mod build;
mod event;
mod tables;

use crate::archive::import::{blank, lines};
use crate::archive::{Directory, KnownPlacement, Record};
use build::Count;
use event::{event, Event, Layout, Table};

/// Warnings that are kept of a run: a failing one prints one an item.
const MOST_WARNINGS: usize = 100;

/// The runs in `bytes`, which came from `path`, as far as they go.
pub fn records(path: &str, bytes: &[u8]) -> Vec<Record> {
    let mut log = Log { path, records: Vec::new(), run: Run::default() };
    let mut lines = (1..).zip(bytes.split(|b| *b == b'\n')).peekable();
    while let Some((line, raw)) = lines.next() {
        // The last line of a log that was cut off may hold half a word; of a row and of the end that shows.
        let whole = lines.peek().is_some();
        let shows = |event: &Event| whole || matches!(event, Event::Row { .. } | Event::Finished(_));
        if let Some(event) = event(&lines::clean(raw)).filter(shows) {
            log.take(line, event);
        }
    }
    log.end_run();
    log.records
}

struct Log<'a> {
    path: &'a str,
    records: Vec<Record>,
    run: Run,
}

/// A run, as far as the text has told it.
#[derive(Default)]
struct Run {
    /// The line where it begins; 0 where there is no run.
    line: u64,
    started: Option<String>,
    finished: Option<String>,
    program: Option<String>,
    placement: KnownPlacement,
    command_line: Vec<String>,
    path: Option<String>,
    fs_type: Option<String>,
    has_node_map: bool,
    warnings: Vec<String>,
    /// The line that says why mdtest gave up.
    trouble: Option<String>,
    layout: Option<Layout>,
    has_colons: bool,
    counts: Vec<Count>,
}

impl Log<'_> {
    fn take(&mut self, line: u64, event: Event) {
        let run = &self.run;
        let starts_another = match &event {
            Event::Started(_) => true,
            // Its start was lost.
            Event::Launched { .. } => run.program.is_some() || !run.counts.is_empty(),
            _ => false,
        };
        if starts_another {
            self.end_run();
        }
        let begins = matches!(
            event,
            Event::Started(_) | Event::Launched { .. } | Event::Items { .. } | Event::Title { .. }
        );
        if self.run.line == 0 && begins {
            self.run.line = line;
        }
        if self.run.line > 0 {
            let ends = matches!(event, Event::Finished(_));
            self.run.take(event);
            if ends {
                self.end_run();
            }
        }
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        let has_table = |count: &Count| count.has(Table::Rates) || count.has(Table::Times);
        if run.started.is_some() || run.program.is_some() || run.counts.iter().any(has_table) {
            self.records.push(run.record(self.path));
        }
    }
}

impl Run {
    fn take(&mut self, event: Event) {
        match event {
            Event::Started(when) => self.started = Some(when),
            Event::Finished(when) => self.finished = Some(when),
            Event::Launched { program, tasks, nodes } => {
                self.program = program;
                self.placement.tasks = tasks;
                self.placement.nodes = nodes;
            }
            Event::CommandLine(words) => self.command_line = words,
            Event::Path(path) => drop(self.path.get_or_insert(path)),
            Event::FileSystem { fs_type } => self.fs_type = self.fs_type.take().or(fs_type),
            Event::NodeMap(map) => {
                self.has_node_map = true;
                let whole = self.placement.tasks == Some(map.len() as u64);
                let on_first = map.bytes().filter(|b| *b == b'1').count() as u64;
                self.placement.tasks_on_first_node = whole.then_some(on_first);
            }
            Event::Warning(text) if self.warnings.len() < MOST_WARNINGS => self.warnings.push(text),
            Event::Warning(_) => {}
            Event::Trouble(text) => drop(self.trouble.get_or_insert(text)),
            Event::Items { tasks, items } => self.counts.push(Count::new(tasks, items)),
            Event::Title { layout, table, iterations } => {
                self.layout = self.layout.or(layout);
                if self.counts.last().is_none_or(|count| count.has(table)) {
                    // The line that counts the items is not there: neither is how many tasks these were.
                    self.counts.push(Count::new(None, None));
                }
                self.of_count(|count| count.open(table, iterations));
            }
            Event::Row { colon, phase, cells } => {
                if self.counts.last_mut().is_some_and(|count| count.row(phase, &cells)) {
                    self.has_colons |= colon;
                }
            }
            Event::Columns(columns) => self.of_count(|count| count.columns(columns)),
            Event::Iteration(index) => self.of_count(|count| count.iteration(index)),
            Event::Phase { phase, seconds, rate } => self.of_count(|count| count.phase(phase, seconds, rate)),
            Event::EachTask(table) => self.of_count(|count| count.each_task(table)),
            Event::Tasks { phase, values } => self.of_count(|count| count.tasks(phase, &values)),
        }
    }

    fn of_count(&mut self, act: impl FnOnce(&mut Count)) {
        if let Some(count) = self.counts.last_mut() {
            act(count);
        }
    }

    /// What the text was taken for.
    fn format(&self) -> &'static str {
        match (self.layout, self.has_colons) {
            (Some(Layout::V1_9), _) => "mdtest 1.9 text",
            (Some(Layout::V4_1), _) => "mdtest 4.1 text",
            (Some(Layout::Between), true) if self.has_node_map => "mdtest 3.x text",
            (Some(Layout::Between), true) => "mdtest 1.9 or 3.x text",
            (Some(Layout::Between), false) => "mdtest 4.0 text",
            (None, _) => "mdtest text",
        }
    }

    fn record(self, path: &str) -> Record {
        let mut record = blank(path, self.line, self.format());
        if let Some(origin) = &mut record.origin {
            origin.program = self.program;
        }
        let directory = |path| Directory { path, fs_type: self.fs_type.clone(), ..Directory::default() };
        Record {
            started: self.started,
            ended_early: self.trouble.filter(|_| self.finished.is_none()),
            finished: self.finished,
            command_line: self.command_line,
            warnings: self.warnings,
            placement: (self.placement != KnownPlacement::default()).then_some(self.placement),
            test_directories: self.path.into_iter().map(directory).collect(),
            results: self.counts.into_iter().map(Count::result).collect(),
            ..record
        }
    }
}
