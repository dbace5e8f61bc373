#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpich-tests.sh: which of MPICH's own tests pass under MPICH and not under engine emulate. The tests come with MPICH's sources
# (test/mpi: configure it for the installed MPICH, and make its programs); what emulate.md excludes is left out here.
set -u
. "$(dirname "$0")/common.sh"

usage() {
    cat <<'END'
usage: bench/mpich-tests.sh [-B BUILD] [-n RANKS] [-t SECONDS] [-b] [-1 PART] FOLDER [FAMILY...]
Runs the tests of FOLDER's families (folders with a testlist) under engine emulate, and those that fail under MPICH, too.

  -B BUILD    the build tree of commslice (build)
  -n RANKS    no tests with more ranks (16)
  -t SECONDS  the time limit of a run (60)
  -b          run under both: says which share of the tests that pass under MPICH pass under emulate
  -1 PART     only about one test in PART, by a hash of its line: the same ones each time

Prints a line for each test that passes under MPICH alone, then counts. Without FAMILY: all but dynamic
processes, tools, partitioned communication and threads, which emulate does not have. Exit status 1 if one passes under MPICH alone.
END
}

build=$top/build most=16 limit=60 both=no part=1
while getopts B:n:t:b1:h o; do
    case $o in
        B) build=$OPTARG ;;
        n) most=$OPTARG ;;
        t) limit=$OPTARG ;;
        b) both=yes ;;
        1) part=$OPTARG ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { usage >&2; exit 2; }
find_tools "$build"
folder=$(cd "$1" && pwd) || exit 2
shift
[ $# -gt 0 ] || set -- attr coll comm cxx datatype errhan errors f08 f77 f90 group info init io pt2pt rma topo
make_work

# A test passes if it ends with 0 and says so; one whose list asks for another result only has to end with that.
passes() { # RESULT COMMAND...
    result=$1
    shift
    timeout -k 5 "$limit" "$@" >"$work/said" 2>&1 </dev/null
    code=$?
    case $result in
        TestStatus) [ $code -eq 0 ] ;;
        TestErrFatal) [ $code -ne 0 ] && [ $code -ne 124 ] ;;
        *) [ $code -eq 0 ] && grep -qi 'no errors' "$work/said" ;;
    esac
}

one_test() { # FOLDER NAME RANKS WORD...
    where=$1 name=$2 ranks=$3 arguments='' result='' settings=''
    shift 3
    for word; do
        case $word in
            arg=*) arguments="$arguments ${word#arg=}" ;;
            env=*) settings="$settings ${word#env=}" ;;
            resultTest=*) result=${word#resultTest=} ;;
            xfail*|strict=[Ff]*) echo excused; return ;;
        esac
    done
    { [ -x "$where/$name" ] && [ "$ranks" -le "$most" ]; } || { echo "skipped $where/$name $ranks"; return; }
    cd "$where" || exit 2
    mpich=unknown
    # shellcheck disable=SC2086  # words of the list
    [ $both = no ] || { under_mpich && mpich=passes; } || mpich=fails
    # shellcheck disable=SC2086
    if passes "$result" env $settings "$COMMSLICE" record --engine emulate --quiet -n "$ranks" -o "$work/t.trace" -- "./$name" $arguments; then
        [ $mpich = fails ] && echo alone || echo same
        return
    fi
    tail -n 3 "$work/said" | tr '\n' ' ' >"$work/why"
    [ $code -ne 124 ] || echo "(over the limit of $limit s)" >>"$work/why"
    call=$(sed -n 's/.*\(MPI[X_][A-Za-z_]*\) is not emulated.*/\1/p' "$work/said" | head -n 1)
    [ $mpich != unknown ] || [ -n "$call" ] || { under_mpich && mpich=passes; } || mpich=fails
    case $mpich${call:+-missing} in
        unknown-*|passes-*) echo "missing $call" ;;
        passes) echo "DIFFERS $where/$name $ranks $arguments: $(cat "$work/why")" ;;
        *) echo neither ;;
    esac
}

under_mpich() { # with what one_test has set
    # shellcheck disable=SC2086
    passes "$result" env $settings $MPIEXEC -n "$ranks" "./$name" $arguments
}

# Is the line one of the PART that is asked for?
chosen() { # LINE
    [ "$part" = 1 ] || [ $(($(printf '%s' "$1" | cksum | cut -d' ' -f1) % part)) -eq 0 ]
}

# Configured beside the sources, the folder has only those lists that configure writes: the others are copied.
copy_lists() { # FAMILY...
    sources=$(sed -n 's/^abs_top_srcdir = //p' Makefile)
    (cd "$sources" && find "$@" -name testlist) | while read -r list; do
        [ -f "$list" ] || [ ! -d "$(dirname "$list")" ] || cp "$sources/$list" "$list" || exit 2
    done
}

cd "$folder" || exit 2
copy_lists "$@"
find "$@" -name testlist | sort | while read -r list; do
    grep -v '^ *#' "$list" | while read -r name ranks words; do
        # a line with one word is a folder, which has a list of its own
        case $ranks in ''|*[!0-9]*) continue ;; esac
        chosen "$list $name $ranks $words" || continue
        # shellcheck disable=SC2086
        (one_test "$folder/$(dirname "$list")" "$name" "$ranks" $words)
    done
done | sed "s|$folder/||" | awk -v both=$both '
    $1 == "DIFFERS" { print substr($0, 9); differs++ }
    $1 == "skipped" { skipped++ }
    $1 == "same" { same++ }
    $1 == "missing" { missing++; calls[$2]++ }
    $1 == "neither" { neither++ }
    $1 == "alone" { alone++ }
    $1 == "excused" { excused++ }
    END {
        printf "%d pass under emulate, %d under MPICH alone; %d end at a call that is said to be missing, %d pass under neither\n",
            same + alone, differs, missing, neither
        if (both == "yes" && same + differs + missing)
            printf "of %d that pass under MPICH %.1f %% pass under emulate; %d pass under emulate alone\n", same + differs + missing,
                100 * same / (same + differs + missing), alone
        for (call in calls)
            printf "  %s %d", call, calls[call]
        printf "%s%d are excused by the list, %d skipped (not built, or too many ranks)\n", (missing ? "\n" : ""), excused, skipped
        exit differs > 0
    }'
