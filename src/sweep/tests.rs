use super::*;

fn asked(arguments: &str) -> Asked {
    Asked {
        clients: vec![1, 2],
        tasks_per_client: vec![1, 4],
        repeats: 1,
        order: "interleaved".to_string(),
        launcher: "run -n {np}".to_string(),
        program: Some("mdtest-rs".to_string()),
        folder: "s".to_string(),
        arguments: arguments.split_whitespace().map(String::from).collect(),
        ..Asked::default()
    }
}

fn refusal(asked: &Asked) -> String {
    let error = Sweep::resolve(asked).unwrap_err();
    assert!(matches!(error, Error::Refused(_)) && !error.to_string().contains('\n'), "{error}");
    error.to_string()
}

#[test]
fn commands_have_the_varied_values_last() {
    let asked = Asked { vary: vec!["w=1k,4k".to_string()], ..asked("-w 2k -n 5 -u -d /d") };
    let sweep = Sweep::resolve(&asked).unwrap();
    let folder = sweep.folder.display();
    let command = words::quoted(&sweep.command(&sweep.points[7]));
    assert_eq!(
        command,
        format!("run -n 8 mdtest-rs -w 2k -n 5 -u -d /d -w=4k --json {folder}/c2-t4-w4k-r1.json")
    );
    let clearing = words::quoted(&sweep.clearing(&sweep.points[7]).unwrap());
    assert_eq!(clearing, "run -n 8 mdtest-rs -r=1 -U=1 -u=1 -n=5 -I=0 -b=1 -z=0 -i=1 -d=/d --quiet=1");
    let clearing = clearing.split(' ').skip(3).map(Into::into).collect::<Vec<_>>();
    assert!(matches!(cli::parse(&clearing), Ok(cli::Request::Run(cli)) if cli.remove && cli.unique));
}

#[test]
fn what_leaves_something_on_purpose_is_not_cleared() {
    for arguments in ["-C -n 5", "-T -n 5", "-r -n 5", "-a DUMMY -n 5"] {
        let sweep = Sweep::resolve(&asked(arguments)).unwrap();
        assert_eq!(sweep.clearing(&sweep.points[0]), None, "{arguments}");
    }
}

#[test]
fn options_of_the_runs_are_refused_before_the_first() {
    for (arguments, parts) in [
        ("-n x", ["-n", "x"]),
        ("--no-such-option", ["options of the runs", "--no-such-option"]),
        ("-n 5 --json r.json", ["--json", "folder"]),
        ("-n 5 -l 4", ["-l", "--tasks-per-client"]),
        ("-n 5 -s 2", ["-s", "--tasks-per-client"]),
        ("--help", ["options of the runs", "no run"]),
        ("sweep -- -n 5", ["options of the runs", ""]),
        ("-u -S -n 5", ["-u", "-S"]),
    ] {
        let said = refusal(&asked(arguments));
        assert!(parts.iter().all(|part| said.contains(part)), "{arguments}: {said}");
    }
    let said = refusal(&Asked { vary: vec!["w=1k,x".to_string()], ..asked("-n 5") });
    assert!(said.contains("-w") && said.contains('x'), "{said}");
    let said = refusal(&Asked { vary: vec!["S=0,1".to_string()], ..asked("-n 5 -u") });
    assert!(said.contains("-S"), "a value is checked with the others: {said}");
}

#[test]
fn what_launches_is_checked_too() {
    let hosts = |launcher: &str, host: Option<&str>| Asked {
        launcher: launcher.to_string(),
        host: host.map(String::from),
        ..asked("-n 5")
    };
    assert!(refusal(&hosts("run -n {np} -H {hosts}", None)).contains("2 hosts"));
    assert!(refusal(&hosts("run -n {np}", Some("a"))).contains("has 1"));
    assert!(refusal(&Asked { timeout_s: Some(0), ..asked("-n 5") }).contains("--timeout 0"));
    assert!(refusal(&Asked { program: Some("/no/such/program".to_string()), ..asked("-n 5") })
        .contains("--mdtest-rs"));
    let sweep = Sweep::resolve(&hosts("run -n {np} -f {hostfile}", Some("a,b,c"))).unwrap();
    let (path, text) = sweep.hostfile(&sweep.points[2]).unwrap();
    assert!(path.ends_with("s/c2.hosts") && text == "a\nb\n");
}
