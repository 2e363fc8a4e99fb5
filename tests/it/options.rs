//! How options are spelled, what they say without a run, and who says that they are refused.

use crate::harness::{each, Place};

#[test]
fn help_works_without_mpirun_and_groups_the_options_by_purpose() {
    let place = Place::new();
    let help = place.run_alone("--help").expect(0);
    let at = |heading: &str| {
        help.stdout.find(&format!("\n{heading}:\n")).unwrap_or_else(|| panic!("no {heading}"))
    };
    let headings = ["What is done", "Where", "How many", "Phases", "Data", "Measuring", "Output", "Launch"];
    assert!(headings.map(at).iter().all(|&place| place > 0));
    for option in
        ["-n ", "-d ", "--json ", "--dialect ", "--max-errors ", "--dummy.delay-create ", "Exit codes: 0 "]
    {
        assert!(help.stdout.contains(option), "{option}");
    }
    assert_eq!((help.stderr.as_str(), place.run_alone("-h").stdout), ("", help.stdout));
}

#[test]
fn help_is_printed_once_under_mpirun() {
    let help = Place::new().run(3, "-h").expect(0);
    assert_eq!(help.stdout.matches("Usage: ").count(), 1, "{}", help.stdout);
    assert_eq!(help.said(), Vec::<&str>::new());
}

#[test]
fn the_version_names_the_mpi_library() {
    let version = Place::new().run_alone("--version").expect(0).stdout;
    let mut lines = version.lines();
    assert_eq!(lines.next(), Some(concat!("mdtest-rs ", env!("CARGO_PKG_VERSION"))));
    let library = lines.next().and_then(|line| line.strip_prefix("MPI library: ")).unwrap();
    assert!(library.contains("MPI"), "{library}");
    assert_eq!(lines.next(), None);
}

#[test]
fn one_task_needs_no_mpirun() {
    let place = Place::new();
    let ran = place.run_alone("-n 3 -e 4 -w 4 -d {D} --quiet").expect(0);
    assert!(ran.stdout.contains("was launched with 1 total task(s) on 1 node(s)\n"));
    assert!(ran.stdout.contains("\nNodemap: 1\n") && ran.stdout.contains("\n1 tasks, 3 files/directories\n"));
    assert_eq!((ran.stderr.as_str(), place.test_directory().exists()), ("", false));
}

#[test]
fn the_test_directory_is_out_unless_given_and_kept_if_it_was_there() {
    let place = Place::new();
    place.run_alone("-n 2 -F -C").expect(0);
    assert!(place.folder().join("out/test-dir.0-0/mdtest_tree.0/file.mdtest.0.1").is_file());
    place.run_alone("-n 2 -F -r").expect(0);
    assert!(
        crate::harness::names(&place.folder()) == ["out/"],
        "a directory that this run did not make is kept"
    );
}

#[test]
fn odd_spellings_are_understood() {
    // Each pair leaves the same behind.
    let pairs = [
        ("-n4 -b2 -z1 -C -F -d{D}", "-n 4 -b 2 -z 1 -C -F -d {D}"),
        ("-FC -n=4 -d={D}", "-F -C -n 4 -d {D}/"),
        ("-F=1 -C=1 -D=0 -n 4 -d {D}//", "-CFn4 -d {D}"),
        ("-w 1k -CF -n1 -d {D}", "-w=1024 -C -F -n 1 -d {D}"),
        ("-n 1 -n 2 -C -D -a posix -d {D}", "-n 2 -DC -a PoSiX -d {D}"),
        ("-n 2 -C -u -b 1 -vvv -V 2 -d {D}", "-n 2 -C -u -v=3 -d {D}"),
        ("-CF -n 2 --verify-read=0 -X=0 -d {D}", "-CF -n 2 -d {D}"),
    ];
    each(pairs, |(one, other)| {
        let left = |line: &str| {
            let place = Place::new();
            place.run_alone(line).expect(0);
            let size = |name: &String| std::fs::metadata(place.test_directory().join(name)).unwrap().len();
            let files = |names: Vec<String>| {
                names.into_iter().filter(|name| !name.ends_with('/')).collect::<Vec<_>>()
            };
            let (all, sizes) = (place.left(), files(place.left()).iter().map(size).collect::<Vec<_>>());
            assert!(!all.is_empty());
            (all, sizes)
        };
        assert_eq!(left(one), left(other));
    });
}

#[test]
fn refusals_come_once_from_rank_0() {
    // Refused by the command line, by the plan, by what is there.
    each(["-n abc", "-n 1 --no-such", "-u -S -n 1", "-f 2 -l 7 -n 1", "-n 1 -d {W}/file"], |line| {
        let place = Place::new();
        std::fs::write(place.folder().join("file"), "").unwrap();
        let ran = place.run(3, line).expect(1);
        ran.only_error();
    });
}

#[test]
fn text_stands_on_standard_output_and_the_rest_on_standard_error() {
    let place = Place::new();
    let ran = place.run(2, "-b 2 -z 1 -n 4 -F -d {D}").expect(0);
    assert!(ran.stdout.starts_with("-- started at ") && ran.stdout.ends_with(" --\n\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("warning") && ran.said().len() == 2, "{}", ran.stderr);
    assert!(ran.says(&["warning", "-n 4", "rounded down to 3"]) && ran.says(&["warning", "-e is 0"]));
}

#[test]
fn a_seed_that_is_drawn_is_printed_and_used_again_gives_the_same_order() {
    let place = Place::new();
    let order = |seed: &str| {
        let line = format!("-n 40 -F -C -T -r {seed} -d {{D}}");
        let (ran, calls) = crate::trace::run(&place, 1, &line);
        let ran = ran.expect(0);
        let seed =
            ran.stdout.lines().find_map(|line| line.strip_prefix("random seed: ")).unwrap().to_string();
        let stats = calls[0].iter().filter(|c| c.operation == "stat").map(|c| c.path.clone());
        (seed, stats.collect::<Vec<_>>())
    };
    let (seed, first) = order("-R");
    assert_eq!(order(&format!("--random-seed={seed}")), (seed.clone(), first.clone()));
    assert_eq!(order(&format!("-R={seed}")).1, first);
    let mut sorted = first.clone();
    sorted.sort();
    assert!(order("-R").0 != seed && sorted != first && sorted.len() == 40);
}
