#!/usr/bin/env bash
# Many more tasks than processors: benches/many_tasks.sh [ROUNDS [TASKS]]
#
# Method. `mpirun -np 64 … -n 50 -u` on tmpfs: the wall time of the whole run, launching included, for mdtest-rs and for
# the mdtest that MDTEST_ORIGINAL names, built with the same MPI. A round (7) runs each once, every second round the other
# way round; the figure is the median of the ratios within a round, with the smallest and the largest. Most of the time is
# mpirun's and MPI_Init's. Without MDTEST_ORIGINAL only times are printed.
#
# Mark: below 1 (in less time than the original). A figure above it fails the script.
set -euo pipefail
# shellcheck source=/dev/null
. "$(dirname "$0")/subjects.sh"
: "${ours:?}" "${original?}" "${scratch:?}"

rounds=${1:-7}
tasks=${2:-64}
mark=1
launch=("${MDTEST_RS_MPIRUN:-mpirun}" -np "$tasks")
# Open MPI starts more tasks than there are processors only when told to, others always.
if "${launch[0]}" --version 2>&1 | grep -Eq 'Open MPI|OpenRTE|PRRTE'; then
    launch+=(--oversubscribe)
fi

# seconds NAME MDTEST - one run, noted under the name.
seconds() {
    local start end
    start=$(date +%s%N)
    quietly "${launch[@]}" "$2" -n 50 -u -d "$scratch/t"
    end=$(date +%s%N)
    awk -v ns=$((end - start)) 'BEGIN { printf "%.3f\n", ns / 1e9 }' >>"$scratch/seconds.$1"
}

for round in $(seq "$rounds"); do
    if [ -z "$original" ]; then
        seconds ours "$ours"
    elif ((round % 2)); then
        seconds ours "$ours"
        seconds original "$original"
    else
        seconds original "$original"
        seconds ours "$ours"
    fi
done

echo "Wall time of a whole run, $tasks tasks, -n 50 -u, median of $rounds"
echo "mdtest-rs: $(median <"$scratch/seconds.ours") s"
if [ -n "$original" ]; then
    paste "$scratch/seconds.ours" "$scratch/seconds.original" | awk '{ printf "%.3f\n", $1 / $2 }' | sort -n >"$scratch/ratios"
    ratio=$(median <"$scratch/ratios")
    spread="$(head -n 1 "$scratch/ratios") … $(tail -n 1 "$scratch/ratios")"
    echo "original: $(median <"$scratch/seconds.original") s"
    echo "ratio: $ratio ($spread)   mark $mark $(verdict "$ratio" $mark)"
    [ "$(verdict "$ratio" $mark)" = reached ]
fi
