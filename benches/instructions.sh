#!/usr/bin/env bash
# User-mode instructions of one operation: benches/instructions.sh [REPEATS]
#
# Method. callgrind counts the instructions of a run of one task without mpirun, `-F -u -n FILES`, on tmpfs, once with
# 10,000 files and once with 30,000. The difference is what 20,000 more files cost, whatever starting, MPI and the report
# cost. By 20,000 it is the figure of a phase, by 20,000 and the four phases the figure of all. Only the main thread
# counts: threads of MPI libraries come and go as they like. Phases are separate runs (-C, -T, -E, -r) on the same files.
# Each count is the median of REPEATS (3) runs; they differ by about 20,000 instructions, 1 in the figure of a phase and
# 0.2 in that of all. The kernel's own instructions are not counted, the C library's are.
#
# Mark: 250 for create, stat, read and remove together. A figure above it fails the script.
set -euo pipefail
# shellcheck source=/dev/null
. "$(dirname "$0")/subjects.sh"
: "${ours:?}" "${original?}" "${scratch:?}"
needs valgrind valgrind

repeats=${1:-3}
few=10000
many=30000
mark=250

# count MDTEST FILES OPTION... - instructions of the main thread.
count() {
    rm -f "$scratch"/calls*
    quietly valgrind --tool=callgrind --separate-threads=yes --callgrind-out-file="$scratch/calls" \
        "$1" -F -u -n "$2" -d "$scratch/t" "${@:3}"
    awk '/^(summary|totals):/ { print $2; exit }' "$scratch/calls-01"
}

# operation MDTEST - counts all runs; one line of figures.
operation() {
    local files phase
    rm -f "$scratch"/counts.*
    for _ in $(seq "$repeats"); do
        for files in $few $many; do
            for phase in -C -T -E -r; do
                count "$1" "$files" "$phase" >>"$scratch/counts.$files$phase"
            done
            count "$1" "$files" >>"$scratch/counts.$files-all"
        done
    done
    for phase in -C -T -E -r -all; do
        echo "$(median <"$scratch/counts.$few$phase")" "$(median <"$scratch/counts.$many$phase")"
    done | awk -v more=$((many - few)) '{ printf "%9.1f", ($2 - $1) / (NR == 5 ? 4 * more : more) }'
}

echo "User instructions an operation: callgrind, n = $few against $many, median of $repeats"
echo "               create     stat     read   remove      all"
figures=$(operation "$ours")
all=${figures##* }
echo "mdtest-rs   $figures   mark $mark $(verdict "$all" $mark)"
if [ -n "$original" ]; then
    echo "original    $(operation "$original")"
fi
[ "$(verdict "$all" $mark)" = reached ]
