use super::*;
use crate::cli::{self, Request};
use proptest::prelude::*;

fn placement(tasks: u64) -> Placement {
    Placement { tasks, nodes: 1, tasks_on_first_node: tasks, in_blocks: true }
}

fn planned(line: &str, tasks: u64) -> Result<Planned, Error> {
    let words =
        std::iter::once("mdtest-rs").chain(line.split_whitespace()).map(Into::into).collect::<Vec<_>>();
    let Request::Run(cli) = cli::parse(&words)? else { panic!("{line} shows a text") };
    Plan::resolve(
        &cli,
        &Drawn { random_seed: 5, data_offset: 9, stonewall: None, no_stonewall_file: None },
        &placement(tasks),
    )
}

fn plan(line: &str, tasks: u64) -> Plan {
    planned(line, tasks).unwrap_or_else(|e| panic!("{line}: {e}")).plan
}

#[test]
fn items_are_as_many_as_the_options_say() {
    for (line, tasks, items) in [
        ("-n 3", 1, 3),
        ("-b 3 -z 1 -I 100 -u", 12, 400),
        ("-L -b 2 -z 2 -n 13", 2, 12),
        ("-L -z 2 -n 3", 2, 3),
        ("-b 3 -z 2 -n 50", 2, 39),
        ("-n 12 -I 4", 2, 12),
        ("-n 6 -I 3 -z 1 -b 2", 2, 18),
        ("-n 4 -I 2 -L -b 2 -z 1", 2, 8),
        ("-b 5 -n 2", 1, 2),
        ("-b 2 -z 2", 1, 0),
    ] {
        assert_eq!(plan(line, tasks).items_per_task, items, "{line}");
    }
}

#[test]
fn rounding_is_said() {
    let said = planned("-F -e 1 -w 1 -b 3 -z 2 -n 50", 2).unwrap().warnings;
    assert_eq!(
        said,
        ["-n 50 is no multiple of the 13 directories of the tree: rounded down to 39 items a task"]
    );
    assert!(planned("-F -C -n 39 -b 3 -z 2", 2).unwrap().warnings.is_empty());
}

#[test]
fn every_phase_unless_one_is_chosen() {
    assert_eq!(plan("-n 1", 1).phases(Kind::File).len(), 4);
    assert_eq!(plan("-n 1", 1).phases(Kind::Directory).len(), 5);
    assert_eq!(plan("-n 1 -C -T", 1).phases(Kind::File), [Phase::FileCreate, Phase::FileStat]);
    assert_eq!(plan("-n 1 -D -U", 1).phases(Kind::Directory), [Phase::DirectoryRename]);
    assert_eq!(plan("-n 1 -S", 1).phases(Kind::Directory), []);
    assert_eq!(plan("-n 1 -D -F", 1).rows().len(), 10);
    assert_eq!(plan("-n 1 -F", 1).rows().len(), 6);
    assert_eq!(plan("-n 1 -S -D", 1).rows(), [Phase::TreeCreate, Phase::TreeRemove]);
}

#[test]
fn numbers_of_tasks() {
    for (line, counts) in [
        ("", vec![4]),
        ("-f 2", vec![4]),
        ("-s 3", vec![4]),
        ("-l 2", vec![1, 2]),
        ("-f 1 -l 4", vec![1, 2, 3, 4]),
        ("-f 2 -l 4 -s 2", vec![2, 4]),
        ("-f 2 -l 3 -s 2", vec![2]),
    ] {
        assert_eq!(plan(&format!("-n 1 {line}"), 4).task_counts, counts, "{line}");
    }
}

#[test]
fn neighbours_are_on_other_nodes_where_tasks_are_placed_in_blocks() {
    let line = "mdtest-rs -n 1 -N 1";
    let words = line.split(' ').map(Into::into).collect::<Vec<_>>();
    let Ok(Request::Run(cli)) = cli::parse(&words) else { panic!() };
    let drawn = Drawn { random_seed: 1, data_offset: 1, stonewall: None, no_stonewall_file: None };
    for (nodes, in_blocks, shift) in [(1, true, 1), (3, true, 4), (3, false, 1)] {
        let placement = Placement { tasks: 12, nodes, tasks_on_first_node: 4, in_blocks };
        assert_eq!(Plan::resolve(&cli, &drawn, &placement).unwrap().plan.rank_shift, shift);
    }
}

#[test]
fn what_was_drawn_is_used_where_nothing_was_given() {
    let p = plan("-n 1 -R", 1);
    assert_eq!((p.random_seed, p.data_offset), (Some(5), 9));
    let p = plan("-n 1 -R=3 -G 7", 1);
    assert_eq!((p.random_seed, p.data_offset), (Some(3), 7));
    assert_eq!(plan("-n 1", 1).random_seed, None);
}

#[test]
fn refusals_name_the_option_and_what_is_allowed() {
    for (line, tasks, parts) in [
        ("-u -S -n 1", 2, vec!["-u", "-S"]),
        ("-c -S -n 1", 2, vec!["-c", "-S"]),
        ("-c -B -n 1", 2, vec!["-c", "-B"]),
        ("-B=1 -N 1 -n 1", 2, vec!["-B", "-N"]),
        ("-c -n 1 -d /a@/b -u", 2, vec!["-c", "/a@/b"]),
        ("-N 1 -n 1 -d /a@/b -u", 2, vec!["-N", "/a@/b"]),
        ("-n 1 -d /a@/b", 2, vec!["-u", "/a@/b"]),
        ("-u -n 1 -d /a@/b", 1, vec!["-d", "2 directories", "1 tasks"]),
        ("-n 1 -d /a@", 4, vec!["-d", "empty"]),
        ("-k -w 10 -F -n 1", 1, vec!["-k", "-w"]),
        ("-X -n 1 -C -F", 1, vec!["-X", "read phase"]),
        ("-X -n 1 -F -w 10", 1, vec!["-X", "-e"]),
        ("-F -n 1 -w 10 -e 20", 1, vec!["-e 20", "-w 10"]),
        ("-f 3 -l 2 -n 1", 4, vec!["-f 3", "-l 2"]),
        ("-f 1 -l 4 -n 1", 2, vec!["-l 4", "up to 2"]),
        ("-s 0 -n 1", 2, vec!["-s 0", "1 or more"]),
        ("-z 1 -b 0 -n 1", 1, vec!["-b 0", "1 or more"]),
        ("-n 4 -I 2 -u", 2, vec!["-n 4", "-I 2", "-u"]),
        ("-n 5 -I 2", 2, vec!["-n 5", "-I 2", "multiple"]),
        ("-a NOSUCH -n 1", 1, vec!["-a NOSUCH", "POSIX"]),
        ("-i 0 -n 1", 1, vec!["-i 0", "1 or more"]),
        ("-b 3 -z 2 -n 1", 2, vec!["-n 1", "13", "or more"]),
        ("-I 1 -z 400", 1, vec!["-z 400", "4095"]),
        ("-I 1 -b 2 -z 80", 1, vec!["-b 2 -z 80"]),
        ("-n 8000p -b 2", 64, vec!["-n", "counted"]),
        ("-n 1 -G 4g", 1, vec!["-G", "2147483647"]),
        ("-n 1 --dataPacketType=x", 1, vec!["--dataPacketType x", "timestamp"]),
        ("-n 1 --max-errors 0", 1, vec!["--max-errors 0", "1 or more"]),
        ("-n 1 -F -C --warningAsErrors -b 2 -z 1 -n 4", 1, vec!["--warningAsErrors", "-n 4"]),
        ("-n 1 --verify-write", 1, vec!["--verify-write", "-w"]),
        ("-n 1 --wear-out-limit 3", 1, vec!["--wear-out-limit", "-W"]),
    ] {
        let Err(Error::Refused(said)) = planned(line, tasks) else { panic!("{line} is not refused") };
        assert!(!said.contains('\n'), "{said}");
        for part in parts {
            assert!(said.contains(part), "{line}: {said}");
        }
    }
}

#[test]
fn a_file_read_without_being_written_is_as_long_as_is_read() {
    assert_eq!(plan("-n 1 -F -E -e 100 -X", 1).file_bytes(), 100);
    assert_eq!(plan("-n 1 -F -E -e 100 -w 200 -X", 1).file_bytes(), 200);
}

proptest! {
    /// Whatever is asked for, it is refused or it has as many items as its parts.
    #[test]
    fn plans_are_consistent(items in 0u64..200, each in 0u64..20, branch in 0u64..5, depth in 0u64..5,
                            leaf_only: bool, unique: bool, tasks in 1u64..70) {
        let (l, u) = (if leaf_only { "-L" } else { "" }, if unique { "-u" } else { "" });
        if let Ok(planned) = planned(&format!("-n {items} -I {each} -b {branch} -z {depth} {l} {u}"), tasks) {
            let p = planned.plan;
            let layout = p.layout();
            prop_assert_eq!(layout.items(), p.items_per_task);
            let listed: u64 = (0..p.test_directories)
                .map(|_| crate::namespace::order::creation(&layout, 0, layout.items_per_test_directory())
                    .map(|run| run.count).sum::<u64>())
                .sum();
            prop_assert_eq!(listed, p.items_per_task);
            if each == 0 && items > 0 {
                prop_assert!(p.items_per_task <= items && p.items_per_task + layout.holders() > items);
            }
        }
    }
}
