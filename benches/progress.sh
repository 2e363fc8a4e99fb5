#!/usr/bin/env bash
# What the progress display costs: benches/progress.sh [ROUNDS [FILES]]
#
# Method. `mpirun -np 2 … -F -u -n 500000` on tmpfs, on a terminal that `script` makes, with --progress bar and with
# --progress none. A round (15) runs each once, every second round the other way round. The rate of a run is its files
# over the seconds of its four phases; the figure is the median of the ratios within a round, bar to none, with the
# interval that holds the true median 19 times in 20. The medians of the single phases are printed too. Where other work
# shares the processors single ratios are anything, and the interval says so.
#
# Mark: 0.99. An interval below it fails the script (1); one on both sides of it decides nothing (2). So does a run that
# showed no bar fail (1).
set -euo pipefail
# shellcheck source=/dev/null
. "$(dirname "$0")/subjects.sh"
: "${ours:?}" "${original?}" "${scratch:?}"
needs script bsdutils

rounds=${1:-15}
files=${2:-500000}
mark=0.99
export TERM=xterm SHELL=/bin/sh
launch="${MDTEST_RS_MPIRUN:-mpirun} -np 2"
# Open MPI starts more tasks than there are processors only when told to, others always.
if "${MDTEST_RS_MPIRUN:-mpirun}" --version 2>&1 | grep -Eq 'Open MPI|OpenRTE|PRRTE'; then
    launch+=" --oversubscribe"
fi

# rates HOW - one run; a line of five rates, of each phase and of all, noted under the name.
rates() {
    quietly script -qec "$launch '$ours' -F -u -n $files -d '$scratch/t' --progress $1" "$scratch/screen" </dev/null
    awk '/^   File (creation|stat|read|removal) / { printf "%f ", $3; seconds += 1 / $3 } END { print 4 / seconds }' \
        "$scratch/screen" >>"$scratch/rates.$1"
    if [ "$1" = bar ] && ! grep -q 'file-[a-z]*  1/1 \[' "$scratch/screen"; then
        echo "no bar was shown: are there enough files?" >&2
        exit 1
    fi
}

for round in $(seq "$rounds"); do
    if ((round % 2)); then
        rates none
        rates bar
    else
        rates bar
        rates none
    fi
done

# ratios FIELD - of all rounds, sorted.
ratios() {
    paste -d ' ' "$scratch/rates.bar" "$scratch/rates.none" | awk -v field="$1" '{ printf "%.4f\n", $field / $(field + 5) }' |
        sort -n
}

# interval FIELD - the places n/2 ± √n of the sorted ratios.
interval() {
    ratios "$1" | awk '{ value[NR] = $1 }
        END {
            low = int((NR + 1) / 2 - sqrt(NR)); high = NR + 1 - low
            print value[(low < 1) ? 1 : low], value[(high > NR) ? NR : high]
        }'
}

# line NAME FIELD - the median and its interval.
line() {
    local low high
    read -r low high < <(interval "$2")
    printf '%-7s %s (%s … %s)' "$1:" "$(ratios "$2" | median)" "$low" "$high"
}

echo "Rate with a bar to the rate without, 2 tasks, -F -u -n $files, median of $rounds"
field=0
for phase in create stat read remove; do
    field=$((field + 1))
    line $phase $field && echo
done
read -r low high < <(interval 5)
judged=undecided
[ "$(verdict $mark "$low")" = missed ] || judged=reached
[ "$(verdict $mark "$high")" = reached ] || judged=missed
echo "$(line all 5)   mark $mark $judged"
case $judged in
    missed) exit 1 ;;
    undecided) exit 2 ;;
esac
