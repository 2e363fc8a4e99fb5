//! The CSV file of every operation of one phase (`--savePerOpDataCSV`).

use crate::measure::clock::seconds;
use std::fs::File;
use std::io::{BufWriter, Write};

/// Writes a line an operation. What it costs is not part of an operation's time, but it is part of the phase's.
#[derive(Debug)]
pub struct OperationLog {
    out: BufWriter<File>,
    path: String,
    failed: Option<String>,
}

impl OperationLog {
    /// Opens `<prefix>-<phase>-<rank, 5 digits>.csv` and empties it, unless this run goes on with it.
    ///
    /// # Errors
    /// One line that names the file.
    pub fn open(prefix: &str, phase: &str, rank: u64, goes_on: bool) -> Result<Self, String> {
        let path = format!("{prefix}-{phase}-{rank:05}.csv");
        let mut options = File::options();
        if goes_on {
            options.append(true);
        } else {
            options.write(true).create(true).truncate(true);
        }
        let file = options.open(&path).map_err(|e| format!("--savePerOpDataCSV cannot write {path}: {e}"))?;
        let mut log = OperationLog { out: BufWriter::new(file), path, failed: None };
        if !goes_on {
            log.write("time,runtime,tp\n");
        }
        Ok(log)
    }

    /// An operation from `start_ns` to `end_ns` after the start of the phase.
    pub fn operation(&mut self, start_ns: u64, end_ns: u64) {
        let runtime_s = seconds(end_ns - start_ns);
        let per_s = if runtime_s > 0.0 { 1.0 / runtime_s } else { 0.0 };
        self.write(&format!(
            "{},{},{}\n",
            scientific(seconds(start_ns), 8),
            scientific(runtime_s, 8),
            scientific(per_s, 6)
        ));
    }

    fn write(&mut self, text: &str) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(text.as_bytes()).err().map(|e| e.to_string());
        }
    }

    /// Writes what is still held back.
    ///
    /// # Errors
    /// One line that names the file, for the first write that failed.
    pub fn finish(mut self) -> Result<(), String> {
        let flushed = self.out.flush().err().map(|e| e.to_string());
        match self.failed.take().or(flushed) {
            Some(error) => Err(format!("--savePerOpDataCSV cannot write {}: {error}", self.path)),
            None => Ok(()),
        }
    }
}

/// C's `%.<digits>e`: an exponent of a sign and two digits or more.
pub fn scientific(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_c_prints_them() {
        for (value, text) in [
            (0.0, "0.000000e+00"),
            (28024.3, "2.802430e+04"),
            (6.9e-6, "6.900000e-06"),
            (1e100, "1.000000e+100"),
        ] {
            assert_eq!(scientific(value, 6), text);
        }
    }

    #[test]
    fn a_line_an_operation_and_no_file_lost() {
        let directory = tempfile::tempdir().unwrap();
        let prefix = directory.path().join("op").to_str().unwrap().to_string();
        let open = |goes_on| OperationLog::open(&prefix, "File stat", 3, goes_on);
        open(false).unwrap().operation(7, 8);
        let mut log = open(false).unwrap();
        log.operation(1000, 3000);
        log.finish().unwrap();
        let mut log = open(true).unwrap();
        log.operation(5, 5);
        log.finish().unwrap();
        let text = std::fs::read_to_string(format!("{prefix}-File stat-00003.csv")).unwrap();
        assert_eq!(text, "time,runtime,tp\n1.00000000e-06,2.00000000e-06,5.000000e+05\n5.00000000e-09,0.00000000e+00,0.000000e+00\n");
    }
}
