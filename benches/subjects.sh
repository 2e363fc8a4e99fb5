# shellcheck shell=bash
# What the scripts beside it have in common: the subjects, a place to work, medians. They source it.
#
# MDTEST_RS              the binary (else cargo builds target/release/mdtest-rs)
# MDTEST_ORIGINAL        an mdtest to measure in the same turns, if set
# MDTEST_RS_BENCH_DIR    stands in for /dev/shm
# MDTEST_RS_MPIRUN       stands in for mpirun
set -euo pipefail
export LC_ALL=C

ours=${MDTEST_RS:-}
if [ -z "$ours" ]; then
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    cargo build --release --quiet --manifest-path "$root/Cargo.toml"
    ours=${CARGO_TARGET_DIR:-$root/target}/release/mdtest-rs
fi
# shellcheck disable=SC2034 # the scripts use it
original=${MDTEST_ORIGINAL:-}
scratch=$(mktemp -d "${MDTEST_RS_BENCH_DIR:-/dev/shm}/mdtest-rs-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

if [ "$(id -u)" = 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi

# quietly WORD... - runs it; what it said is shown only if it fails.
quietly() {
    "$@" >"$scratch/said" 2>&1 || {
        echo "failed: $*" >&2
        cat "$scratch/said" >&2
        exit 1
    }
}

needs() {
    command -v "$1" >/dev/null || {
        echo "$0 needs $1: apt-get install $2" >&2
        exit 1
    }
}

# median <VALUES - of an even number the lower of the two in the middle.
median() {
    sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}

# verdict FIGURE MARK - "reached" where the figure is at most the mark.
verdict() {
    awk -v figure="$1" -v mark="$2" 'BEGIN { print figure <= mark ? "reached" : "missed" }'
}
