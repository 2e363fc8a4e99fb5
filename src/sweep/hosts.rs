//! Hosts, from a file or a list.

use crate::cli::commands::sweep::Sweep as Asked;
use crate::error::Error;

/// A host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its name or address.
    pub name: String,
    /// Tasks that it takes, where it is told.
    pub slots: Option<u64>,
}

/// The first `needed` hosts of what was asked for; none where none were given and the launcher needs none.
///
/// # Errors
/// [`Error::Refused`] where there are too few, or where what is given holds no hosts; [`Error::Environment`] where the
/// file cannot be read.
pub fn first(asked: &Asked, needed: u64, wanted: bool) -> Result<Vec<Host>, Error> {
    let (source, mut hosts) = match (&asked.hostfile, &asked.host) {
        (Some(path), _) => {
            let text = std::fs::read_to_string(path)
                .map_err(|e| Error::Environment(format!("--hostfile {path} cannot be read: {e}")))?;
            (format!("--hostfile {path}"), in_file(path, &text)?)
        }
        (None, Some(list)) => (format!("--host {list}"), in_list(list)?),
        (None, None) if !wanted || needed == 1 => return Ok(Vec::new()),
        (None, None) => {
            return Err(Error::Refused(format!(
                "--clients {needed} needs {needed} hosts: --hostfile or --host says which"
            )))
        }
    };
    let have = hosts.len() as u64;
    if have < needed {
        return Err(Error::Refused(format!(
            "--clients {needed} needs {needed} hosts, but {source} has {have}"
        )));
    }
    hosts.truncate(usize::try_from(needed).unwrap_or(usize::MAX));
    Ok(hosts)
}

/// The distinct hosts of a file in their order: `host`, Open MPI's `host slots=8`, MPICH's `host:8`; # begins a comment.
///
/// # Errors
/// [`Error::Refused`] with the line that is none of these.
pub fn in_file(path: &str, text: &str) -> Result<Vec<Host>, Error> {
    let mut hosts = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let host = of_line(line).ok_or_else(|| {
            Error::Refused(format!(
                "--hostfile {path} has '{line}' in line {}: allowed are 'host', 'host slots=8' and 'host:8'",
                index + 1
            ))
        })?;
        add(&mut hosts, host);
    }
    Ok(hosts)
}

/// The distinct hosts of a list with commas: `a,b:8`.
///
/// # Errors
/// [`Error::Refused`] with the host that is none.
pub fn in_list(list: &str) -> Result<Vec<Host>, Error> {
    let mut hosts = Vec::new();
    for word in list.split(',') {
        let host = named(word.trim()).ok_or_else(|| {
            Error::Refused(format!("--host '{word}' is not allowed: allowed are a,b or a:8,b:8"))
        })?;
        add(&mut hosts, host);
    }
    Ok(hosts)
}

fn of_line(line: &str) -> Option<Host> {
    // Open MPI takes blanks round the sign.
    let line = line.split('=').map(str::trim).collect::<Vec<_>>().join("=");
    let mut words = line.split_whitespace();
    let mut host = named(words.next()?)?;
    for word in words {
        let (key, value) = word.split_once('=')?;
        if ["slots", "cpus", "count"].contains(&key) {
            host.slots = Some(value.parse().ok()?);
        }
    }
    Some(host)
}

/// `host` or `host:8`; an address of IPv6 has more colons, and no tasks.
fn named(word: &str) -> Option<Host> {
    let (name, slots) = match word.split_once(':') {
        Some((name, slots)) if !slots.contains(':') => (name, Some(slots.parse().ok()?)),
        _ => (word, None),
    };
    let is_plain = |c: char| c.is_alphanumeric() || ".-_:[]%".contains(c);
    // A hyphen at the front would make an option of it.
    let is_name = !name.is_empty() && !name.starts_with('-') && name.chars().all(is_plain);
    is_name.then(|| Host { name: name.to_string(), slots })
}

/// A host that is there again has more slots.
fn add(hosts: &mut Vec<Host>, host: Host) {
    match hosts.iter_mut().find(|known| known.name == host.name) {
        Some(known) => {
            known.slots = Some(known.slots.unwrap_or(1).saturating_add(host.slots.unwrap_or(1)));
        }
        None => hosts.push(host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn host(name: &str, slots: Option<u64>) -> Host {
        Host { name: name.to_string(), slots }
    }

    #[test]
    fn the_forms_of_all_launchers_are_read() {
        let text =
            "# two racks\n n1 slots=16 max_slots = 32\nn2:8  # new\n\nn3\n10.0.0.4 slots = 2\nfe80::1\nn3\n";
        let known =
            [("n1", Some(16)), ("n2", Some(8)), ("n3", Some(2)), ("10.0.0.4", Some(2)), ("fe80::1", None)];
        assert_eq!(in_file("F", text).unwrap(), known.map(|(name, slots)| host(name, slots)));
        assert_eq!(in_list("a, b:4").unwrap(), [host("a", None), host("b", Some(4))]);
    }

    #[test]
    fn what_is_no_host_is_refused_with_its_line() {
        for line in ["n1 16", "-oProxyCommand=x", "n1:x", "n1 slots=x", "n1;reboot", ":4"] {
            let error = in_file("F", &format!("n0\n{line}\n")).unwrap_err().to_string();
            assert!(error.contains("line 2") && error.contains(&format!("'{line}'")), "{error}");
        }
        assert!(in_list("a,,b").is_err() && in_list("-x").is_err());
    }

    #[test]
    fn too_few_hosts_are_refused_with_both_numbers() {
        let asked = Asked { host: Some("a,b,a".to_string()), ..Asked::default() };
        assert_eq!(first(&asked, 2, true).unwrap().len(), 2);
        let error = first(&asked, 3, true).unwrap_err().to_string();
        assert_eq!(error, "--clients 3 needs 3 hosts, but --host a,b,a has 2");
        assert!(first(&Asked::default(), 2, true).is_err());
        assert_eq!(first(&Asked::default(), 2, false), Ok(Vec::new()));
        assert_eq!(first(&Asked::default(), 1, true), Ok(Vec::new()));
    }

    proptest! {
        #[test]
        fn no_file_panics(text in ".*") {
            let _ = (in_file("F", &text), in_list(&text));
        }
    }
}
