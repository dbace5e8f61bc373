# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For the benches of predictions, which source it behind common.sh: each program as a counted original and as a counted slice, and hidden laws.
counters=counters # or counters=setup
alone=''              # what measured commands begin with
network=latency=2us,overhead=0.3us,gap=0.1us,bandwidth=1GB/s

# A build tree's own tools come first; the folder of the work: work, or one that is removed.
begin_work() {
    build=$(cd "$build" && pwd) || exit 2
    PATH=$build/bin:$PATH
    [ -n "$work" ] || { work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT; }
    mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 2
}

# Nobody takes the processor from measured commands, where this may be said: they begin with $alone.
take_processor() {
    if [ "$(id -u)" = 0 ] && chrt -f 10 true 2>/dev/null; then alone='chrt -f 10'; else alone=''; fi
}

# The copy of NPB that the user names first, or none: npb.
take_npb() { # [NPB-FOLDER]
    npb=''
    [ $# -eq 0 ] || npb=$(cd "$1" && pwd) || die "$1: no such folder"
}

# For each PROGRAM (all that there are copies of): builds all its sizes, learns from the small ones, and measures the targets, or those of
# $only ranks alone, by the script's own `learn` and `measure`. Rows go to `results`. Status 1 if one failed.
learn_and_measure() { # [PROGRAM...]
    [ $# -gt 0 ] || set -- heat ${npb:+bt cg ep ft is lu mg sp} ${sweep:+sweep3d}
    code=0
    : >results
    for p in "$@"; do
        runs_of "$p"
        for r in $small $targets; do
            build_program "$p" "${r%.*}" || { echo "$p: not built; see the logs with -w" >&2; code=1; continue 2; }
        done
        learn "$p" || { code=1; continue; }
        for r in $targets; do
            [ -z "$only" ] || [ "${r#*.}" = "$only" ] || continue
            measure "$p" "$r" >>results || code=1
        done
    done
    return $code
}

# The hidden law, as cost-law in the folder of the work.
make_cost_law() {
    # shellcheck disable=SC2046  # words on purpose
    $CC -std=gnu11 -O2 -D_GNU_SOURCE -I"$top" -o "$work/cost-law" "$top/bench/cost-law.c" "$build/trace/libcstrace.a" "$build/api/libcsapi.a" \
        "$build/base/libcsbase.a" $(pkg-config --libs libzstd libxxhash) -lm || die 'cannot compile bench/cost-law.c'
}

# The settings of heat: a plate of N by N points in ROWS by COLUMNS parts; fewer steps where the environment has HEAT_STEPS, with a report each HEAT_REPORT.
plate() { # N ROWS COLUMNS
    printf 'rows %d\ncols %d\ngrid_rows %d\ngrid_cols %d\nsteps %d\nreport %d\n' "$1" "$1" "$2" "$3" "${HEAT_STEPS:-40}" "${HEAT_REPORT:-10}"
}
# As near to a square as RANKS allow.
square_plate() { # N RANKS
    rows=$(awk -v p="$2" 'BEGIN { for (i = int(sqrt(p)); p % i; i--); print p / i }')
    plate "$1" "$rows" $(($2 / rows))
}

# A program of demo/ as PROGRAM.o, the original, and PROGRAM.s, the slice.
build_demo() { # PROGRAM
    for way in o=mode=counted s=$counters; do
        to=$1.${way%%=*}
        [ -x "$to" ] || commslice-mpicc -O2 -g "-fplugin-arg-commslice-${way#*=}" -o "$to" "$top/demo/$1.c" -lm 2>"$to.log" || return 1
    done
}

# Our own copy of the user's copy of NPB 3.4 in $npb, as npb.
copy_npb() {
    [ -d npb ] || { cp -r "$npb" npb && chmod -R u+w npb && cp "$top/npb-patches/3.4/make.def" npb/config/make.def && mkdir -p npb/bin; }
}
# A program of it by these options of the compiler, as TO, if that is not there; what make said is in TO.log.
make_npb() { # PROGRAM CLASS TO OPTIONS
    [ ! -x "$3" ] || return 0
    rm -f "npb/bin/$1.$2.x"
    find npb -name '*.o' -exec rm -f {} +
    make -C "npb/$(echo "$1" | tr a-z A-Z)" CLASS="$2" ASSUME="$4" >"$3.log" 2>&1 </dev/null && mv "npb/bin/$1.$2.x" "$3"
}

# A program of NPB 3.4, of which the user has a copy in $npb, as PROGRAM.CLASS.o and PROGRAM.CLASS.s; cg with NPB_STEPS steps, if the environment has it.
build_npb() { # PROGRAM CLASS
    if [ ! -d npb ]; then
        copy_npb || return 1
        # Of cg, which has no input, the source says how many steps it takes.
        [ -z "${NPB_STEPS:-}" ] || sed -i "s/\\(nonzer=[0-9]*; *niter\\)=[0-9]*/\\1=$NPB_STEPS/" npb/sys/setparams.c || return 1
    fi
    for way in o=mode=counted s=$counters; do
        make_npb "$1" "$2" "$1.$2.${way%%=*}" "-fplugin-arg-commslice-${way#*=}" || return 1
    done
}

# The inputs of NPB's class B for this many points, but for the number of steps: 5, or NPB_STEPS of the environment.
few_steps() { # PROGRAM POINTS FOLDER
    case $1 in
        bt | sp) printf '%d\n%s\n%d %d %d\n' "${NPB_STEPS:-5}" "$([ "$1" = bt ] && echo 0.0003d0 || echo 0.001d0)" "$2" "$2" "$2" >"$3/input$1.data" ;;
        lu) printf 'c\nc\n1 %d\nc\nc\n%d\nc\nc\n2.0d0\nc\nc\n1.2d0\nc\nc\n1d-8 1d-8 1d-8 1d-8 1d-8\nc\nc\n%d %d %d\n' "${NPB_STEPS:-5}" "${NPB_STEPS:-5}" "$2" "$2" "$2" >"$3/inputlu.data" ;;
    esac
}

# Sweep3D, of which the user has a copy in $sweep, as sweep3d.o and sweep3d.s; for at most 512 ranks.
build_sweep3d() {
    for way in o=mode=counted s=$counters; do
        to=sweep3d.${way%%=*}
        [ -x "$to" ] && continue
        rm -rf sweep3d && cp -r "$sweep" sweep3d && sed -i "s/maxtasks=[0-9]*/maxtasks=512/" sweep3d/msg_stuff.h || return 1
        make -C sweep3d -f makefile -f "$top/npb-patches/sweep3d/make.def" mpi \
            ASSUME="-fplugin-arg-commslice-${way#*=} -fplugin-arg-commslice-assume=$top/npb-patches/sweep3d/sweep3d.assume" >"$to.log" 2>&1 </dev/null &&
            mv sweep3d/sweep3d.mpi "$to" || return 1
    done
}
# Its input, on a grid of ranks as near to a square as they allow; 12 iterations, or SWEEP3D_STEPS of the environment.
sweep3d_input() { # POINTS RANKS
    rows=$(awk -v p="$2" 'BEGIN { for (i = int(sqrt(p)); p % i; i--); print i }')
    printf '%d %d 10 3 16\n%d %d %d 6 1\n.1 .1 .1 -%d.0\n0 0 0\n0 1 -7\n' "$rows" $(($2 / rows)) "$1" "$1" "$1" "${SWEEP3D_STEPS:-12}"
}

# Small runs and targets of a program, CLASS.RANKS; of some, POINTS.RANKS, with points in one direction: small, targets.
runs_of() {
    case $1 in
        heat) small='2048.1 2048.2 2048.4 2048.8 2048.16 1024.4 1024.16 512.4 512.16 256.16' targets='2048.64 2048.256 2048.512' ;;
        bt | sp) small='102.1 102.4 102.9 102.16 48.4 48.9 48.16 24.4 24.16 12.4 12.16' targets='102.64 102.256 102.484' ;;
        lu) small='102.1 102.2 102.4 102.8 102.16 48.4 48.8 48.16 24.4 24.16 12.4 12.16' targets='102.64 102.256 102.512' ;;
        sweep3d) small='100.1 100.2 100.4 100.8 100.16 50.4 50.8 50.16 20.4 20.8 20.16' targets='100.64 100.256 100.512' ;;
        *) small='W.1 W.2 W.4 W.8 W.16 S.1 S.2 S.4 S.8 S.16' targets='W.64 W.256 W.512' ;;
    esac
    # ft cuts its data in two directions from 64 ranks on, and on few ranks if its input says so: CLASS_ROWSxCOLUMNS.RANKS.
    [ "$1" != ft ] || [ -z "${two:-}" ] ||
        small='W.1 W.2 W.4 W.8 W.16 W_2x2.4 W_4x2.8 W_8x2.16 W_4x4.16 S_2x2.4 S_8x2.16 S_4x4.16'
}

# Both of a program.
build_program() { # PROGRAM CLASS
    case $1 in
        heat) build_demo heat ;;
        sweep3d) build_sweep3d ;;
        bt | lu | sp) build_npb "$1" B ;;
        *) build_npb "$1" "${2%_*}" ;;
    esac
}

# Of the original (o) or the slice (s): the executable's name, its argument input, and its folder at, with its input.
place_of() { # WHAT PROGRAM CLASS.RANKS
    name=$2.${3%.*}.$1 input='' at=$PWD/in.$2.$3
    mkdir -p "$at"
    case $2.$3 in
        ft.*_*)
            layout=${3#*_}
            layout=${layout%.*}
            name=ft.${3%%_*}.$1
            printf '6\n2\n%d %d\n' "${layout%x*}" "${layout#*x}" >"$at/inputft.data"
            ;;
    esac
    case $2 in
        heat) name=heat.$1 input=$at/heat.txt; square_plate "${3%.*}" "${3#*.}" >"$input" ;;
        sweep3d) name=sweep3d.$1; sweep3d_input "${3%.*}" "${3#*.}" >"$at/input" ;;
        bt | lu | sp) name=$2.B.$1; few_steps "$2" "${3%.*}" "$at" ;;
    esac
}

# The first number of this name in a file of JSON lines.
number() { sed -n "s/.*\"$1\":\([0-9.e+-]*\).*/\1/p" "$2"; }
