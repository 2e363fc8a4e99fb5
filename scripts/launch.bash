# shellcheck shell=bash
# Read by the scripts beside it: builds the program and launches runs of it. Relative paths start at the project's root.
# Settings, all from the environment:
#   MPIRUN      the launcher                                [mpirun]
#   HOSTFILE    hosts to run on                             [none: this machine, more tasks than cores allowed]
#   PER_NODE    tasks on each host                          [as the hostfile has slots]
#   MDTEST_RS   the program, at the same path on all hosts  [built here by cargo]
#   RESULTS     folder of the records                       [results]
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
PATH=$PATH:$HOME/.cargo/bin
RESULTS=${RESULTS:-results}
stamp=$(date +%Y%m%d-%H%M%S)

if [ "$(id -u)" = 0 ]; then # Open MPI asks twice
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi

# For the launchers of Open MPI 4 and 5; MPICH always allows it.
oversubscribe() {
    export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
}

build() {
    if [ -z "${MDTEST_RS:-}" ]; then
        cargo build --release --locked
        MDTEST_RS=${CARGO_TARGET_DIR:-target}/release/mdtest-rs
    fi
}

# launch NAME TASKS OPTION...: one run, whose record is RESULTS/NAME-<date and time>.json
launch() {
    local record=$RESULTS/$1-$stamp.json tasks=$2 words code=0
    shift 2
    read -ra words <<<"${MPIRUN:-mpirun}"
    if [ -n "${HOSTFILE:-}" ]; then
        words+=(--hostfile "$HOSTFILE")
    else
        oversubscribe
    fi
    if [ -n "${PER_NODE:-}" ]; then
        if [[ $("${words[0]}" --version) == *'Open MPI'* ]]; then
            words+=(--map-by "ppr:$PER_NODE:node")
        else
            words+=(-ppn "$PER_NODE")
        fi
    fi
    mkdir -p "$RESULTS"
    "${words[@]}" -np "$tasks" "$MDTEST_RS" "$@" --json "$record" || code=$?
    [ ! -e "$record" ] || echo "record: $record"
    return "$code"
}
