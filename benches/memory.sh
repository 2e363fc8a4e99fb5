#!/usr/bin/env bash
# Peak memory does not grow with the number of items, in random order too: benches/memory.sh [ROUNDS]
#
# Method. One task without mpirun, `-R -a DUMMY`, with 1,000 items and with 10,000,000, in turns. The kernel says how much
# memory was resident at most (ru_maxrss, by GNU time). The figure is the difference of the medians over the rounds (5);
# single runs differ by about 0.2 MiB. DUMMY touches no file system, so that nothing but the loop is left.
#
# Mark: 2 MiB. A figure above it fails the script.
set -euo pipefail
# shellcheck source=/dev/null
. "$(dirname "$0")/subjects.sh"
: "${ours:?}" "${original?}" "${scratch:?}"
needs /usr/bin/time time

rounds=${1:-5}
few=1000
many=10000000
mark=2

for _ in $(seq "$rounds"); do
    for items in $few $many; do
        quietly /usr/bin/time -f %M -a -o "$scratch/peak.$items" "$ours" -R -n "$items" -a DUMMY
    done
done
few_kib=$(median <"$scratch/peak.$few")
many_kib=$(median <"$scratch/peak.$many")
more_mib=$(awk -v few="$few_kib" -v many="$many_kib" 'BEGIN { printf "%.2f", (many - few) / 1024 }')

echo "Peak memory, -R -a DUMMY, median of $rounds"
echo "n = $few: $few_kib KiB"
echo "n = $many: $many_kib KiB"
echo "difference: $more_mib MiB   mark $mark $(verdict "$more_mib" $mark)"
[ "$(verdict "$more_mib" $mark)" = reached ]
