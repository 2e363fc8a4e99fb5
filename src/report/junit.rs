//! Comparisons and verdicts as JUnit XML, which build servers show.

use crate::analysis::comparison::{Comparison, Row};
use crate::analysis::condition::Tried;
use crate::analysis::judgement::Line;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// A case a phase and record, which only tells, and a case a condition, which fails where it is met.
pub fn comparison(comparisons: &[Comparison], tried: &[Tried]) -> String {
    let mut report = Report::new("mdtest-rs compare");
    for comparison in comparisons {
        let mut suite = TestSuite::new(comparison.workload.as_deref().unwrap_or("phases"));
        for (column, heading) in comparison.columns.iter().enumerate().skip(1) {
            for row in &comparison.rows {
                let mut case = TestCase::new(row.phase.id(), TestCaseStatus::success());
                case.set_classname(heading.name.as_str());
                case.set_system_out(told(row, column));
                suite.add_test_case(case);
            }
        }
        report.add_test_suite(suite);
    }
    if !tried.is_empty() {
        let mut suite = TestSuite::new("--fail-if");
        for t in tried {
            suite.add_test_case(case(&t.condition, "condition", &t.met.join("\n"), t.met.is_empty()));
        }
        report.add_test_suite(suite);
    }
    text(&report)
}

/// A suite a record, a case a bound.
pub fn judgement(lines: &[Line]) -> String {
    let mut report = Report::new("mdtest-rs check");
    for of_record in lines.chunk_by(|a, b| (&a.record, a.tasks) == (&b.record, b.tasks)) {
        let tasks = of_record[0].tasks.map_or(String::new(), |n| format!(", {n} tasks"));
        let mut suite = TestSuite::new(of_record[0].record.clone() + &tasks);
        for line in of_record {
            let phase = line.phase.map_or("run", |phase| phase.id());
            let what = format!("{}: found {}, wanted {}", line.grade.word(), line.shown, line.wanted);
            let name = format!("{phase} {}", line.measure);
            suite.add_test_case(case(&name, phase, &what, line.grade.accepted()));
        }
        report.add_test_suite(suite);
    }
    text(&report)
}

fn told(row: &Row, column: usize) -> String {
    let cell = &row.cells[column];
    let rate = |cell: &crate::analysis::comparison::Cell| {
        cell.rate_per_s.map_or("-".to_string(), |rate| format!("{rate:.3}"))
    };
    let verdict = cell.verdict.map_or("not in both".to_string(), |v| v.words());
    format!("{} /s against {} /s: {verdict}", rate(cell), rate(&row.cells[0]))
}

fn case(name: &str, class: &str, what: &str, accepted: bool) -> TestCase {
    let status = if accepted {
        TestCaseStatus::success()
    } else {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(what.lines().next().unwrap_or_default()).set_description(what);
        status
    };
    let mut case = TestCase::new(name, status);
    case.set_classname(class);
    case.set_system_out(what);
    case
}

fn text(report: &Report) -> String {
    // Written to memory: nothing there fails.
    report.to_string().unwrap_or_default()
}
