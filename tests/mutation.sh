#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Shows that the checker can fail: leaves one LIVE statement, or one mark, out of the slice of a test program, and counts how often
# the link, the run (channel check, watch) or the diff notices. docs/checker.md has results and reasons; mutation.sh --help the usage.
set -u

usage() {
    cat <<'END'
usage: tests/mutation.sh [-B BUILD] [-k PATTERN] [-n DROPS] [-t SECONDS] [--all] [--keep] [--resume]
  -B BUILD     the build folder (default: $BUILD_DIR or build)
  -k PATTERN   only programs whose name matches this shell pattern, or contains it
  -n DROPS     for each program so many statements, spread evenly, and as many marks (default 12)
  -t SECONDS   stop after this time, with programs taken in an order that mixes them (default: no end)
  --all        every statement and every mark: hours
  --keep       keep the folder with the programs
  --resume     go on with what is in the folder of an earlier run
A line on standard output for each drop that nobody noticed, and a summary. tests/equivalent-drops says which drops change
nothing, and why. Exit status 0 if at least 95 % of the other drops are noticed, else 1.
END
}

die() { printf 'mutation: %s\n' "$*" >&2; exit 2; }

top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/tests/program.sh"
build=${BUILD_DIR:-build} pattern='*' drops=12 seconds=0 keep=no resume=no
while [ $# -gt 0 ]; do
    case $1 in
        -B) build=$2; shift ;;
        -k) case $2 in *[*?[]*) pattern=$2 ;; *) pattern="*$2*" ;; esac; shift ;;
        -n) drops=$2; shift ;;
        -t) seconds=$2; shift ;;
        --all) drops=1000000 ;;
        --keep) keep=yes ;;
        --resume) resume=yes keep=yes ;;
        --help|-h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
build=$(cd "$build" 2>/dev/null && pwd) || die "no build folder $build: configure and make there first"
work=$build/tests/mutation.out
results=$work/results
PATH=$build/cli:$PATH
# The watch says after two seconds that all ranks wait for ever; what polls for ever is stopped after five.
export COMMSLICE_LIBDIR="$build/commlib" COMMSLICE_PATIENCE=2
limited() { timeout -k 2 "${limit:-20}" "$@"; }

# ---- one program: original, object with link-time information, good slice ----

link_slice() {  # OUTPUT FLAG...
    out=$1
    shift
    limited "commslice-$wrapper" -g -O2 -w ${assume:+"-fplugin-arg-commslice-assume=$assume"} "$@" -o "$out" object.o -lm
}

run_here() {  # LOG COMMAND...: with the program's own input
    log=$1
    shift
    make_files "$src"
    stdin=/dev/null
    if [ -n "$(header "$src" stdin)" ]; then
        printf '%b' "$(header "$src" stdin)" >stdin
        stdin=stdin
    fi
    # shellcheck disable=SC2046  # words on purpose
    limited "$@" $(header "$src" args) >"$log" 2>&1 <"$stdin"
}

prepare() {  # FILE: sets src, name, wrapper, ranks, assume; goes to the program's folder
    src=$1 name=$(basename "${1%.*}") wrapper=$(tool "$1") assume=$(header "$1" assume)
    ranks=$(header "$src" ranks | tr ' ' '\n' | sort -n | head -n 1)
    ranks=${ranks:-2}
    mkdir -p "$work/$name" && cd "$work/$name" || exit 2
    [ -f good.trace ] && return 0
    {
        limited "$(mpi_wrapper "$wrapper")" -g -O2 -w -o orig "$src" -lm &&
            limited "commslice-$wrapper" -g -O2 -w -c -o object.o "$src" &&
            link_slice slice -fplugin-arg-commslice-verbose
    } >build.log 2>&1 || return 1
    run_here orig.log commslice record -o orig.trace -- "${MPIEXEC:-mpiexec}" -n "$ranks" ./orig &&
        run_here slice.log commslice run -n "$ranks" -o good.trace ./slice &&
        limited commslice diff orig.trace good.trace >diff.log 2>&1 || { rm -f good.trace; return 1; }
    objcopy --dump-section .commslice=info.txt slice /dev/null 2>/dev/null || true
}

# How many `statements` or `marks` can be dropped.
candidates() { sed -n "s/^commslice:.* \([0-9]*\) $1.* can be dropped/\1/p" build.log; }

# ---- one drop ----

# A dropped value is undefined, so it is tried with zero and, if nobody notices, with another value.
# Sets how: link, channel, wait, end, diff, or "" if nobody noticed; `place` and `text` of the statement.
drop() {  # stmt|mark NUMBER
    place="?" text="?"
    for gone in 0 77; do
        how=
        link_slice drop "-fplugin-arg-commslice-test-drop-$1=$2" "-fplugin-arg-commslice-test-gone-values=$gone" >drop.log 2>&1 || how=link
        describe
        [ -z "$how" ] || return
        rm -f drop.trace drop.trace.live
        limit=5
        run_here run.log commslice run -n "$ranks" -o drop.trace ./drop
        rc=$?
        if [ $rc -eq 124 ] || [ $rc -eq 137 ]; then how=wait
        elif [ $rc -ne 0 ]; then
            if grep -q 'meets the unmarked\|differs: marked' run.log; then how=channel
            elif grep -q 'all ranks wait' run.log; then how=wait
            else how=end; fi
        else limited commslice diff orig.trace drop.trace >diff.log 2>&1 || how=diff
        fi
        limit=20
        [ -z "$how" ] || return
        [ "$1" = stmt ] || return     # a mark leaves no value behind
    done
}

# The warning of the test build names the statement; the good slice knows its text.
describe() {
    line=$(grep -m 1 'test build' drop.log)
    place=$(basename "${line%%: commslice*}")
    id=$(printf '%s\n' "$line" | sed -n 's/.* statement \([0-9]*\) is left out.*/\1/p; s/.*mark of statement \([0-9]*\) .*/\1/p')
    text=$(awk -F '\t' -v id="$id" '$1 == "stmt" && $2 == id { print $9 }' info.txt)
}

# The reason why this drop changes nothing, from tests/equivalent-drops: PROGRAM stmt|mark LINE TEXT-PATTERN : REASON
is_equivalent() { # KIND
    sed 's/#.*//' "$top/tests/equivalent-drops" | while read -r p k l rest; do
        [ "$p" = "$name" ] && [ "$k" = "$1" ] && [ "$l" = "${place##*:}" ] || continue
        pat=${rest%% : *}
        # shellcheck disable=SC2254  # a pattern on purpose
        case $text in $pat) echo "${rest##* : }"; break ;; esac
    done
}

try_drop() {  # stmt|mark NUMBER
    grep -q "^$name	$1	$2	" "$results" && return
    drop "$1" "$2"
    reason=
    [ -n "$how" ] || reason=$(is_equivalent "$1")
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$1" "$2" "${how:-${reason:+same}}" "$place" "$text" "$reason" >>"$results"
    [ -n "$how$reason" ] || printf 'not noticed: %s %s %s: %s  %s\n' "$name" "$1" "$2" "$place" "$text"
}

# Numbers of the sample, evenly spread.
sample() {  # COUNT
    awk -v n="$1" -v k="$drops" 'BEGIN { if (k > n) k = n; for (i = 0; i < k; i++) print int((i + 0.5) * n / k) }'
}

run_program() {  # FILE
    if ! prepare "$1"; then
        printf 'not usable: %s: original and slice differ, or do not build: see %s\n' "$name" "$work/$name"
        unusable=$((unusable + 1))
        return
    fi
    for i in $(sample "$(candidates statements)"); do out_of_time && return; try_drop stmt "$i"; done
    for i in $(sample "$(candidates marks)"); do out_of_time && return; try_drop mark "$i"; done
    [ -z "${CS_PROGRESS_FD:-}" ] || printf 'mutation: %s\n' "$name" >&"$CS_PROGRESS_FD"
}

out_of_time() { [ "$seconds" -gt 0 ] && [ $(($(now) - since)) -gt $((seconds * 1000000000)) ]; }

# ---- all of them ----

summary() {
    awk -F '\t' -v unusable="$unusable" '
        { n[$2]++; by[$2, $4 == "" ? "not" : $4]++ }
        END {
            split("stmt mark", kinds, " "); split("link channel wait end diff same not", hows, " ")
            printf "%-6s %6s %6s %8s %6s %6s %6s %6s %6s %8s\n", "", "drops", "link", "channel", "wait", "end", "diff", "same", "missed", "noticed"
            for (k = 1; k <= 2; k++) {
                kind = kinds[k]; counts = n[kind] - by[kind, "same"]
                printf "%-6s %6d", kind, n[kind]
                for (h = 1; h <= 7; h++) printf " %*d", h == 2 ? 8 : 6, by[kind, hows[h]]
                part = counts ? 100 * (counts - by[kind, "not"]) / counts : 100
                printf " %6.1f %%\n", part
                if (part < 95 || !n[kind]) bad = 1
            }
            exit bad || unusable > 0
        }' "$results"
}

since=$(now) unusable=0
[ $resume = yes ] || rm -rf "$work"
mkdir -p "$work"
touch "$results"
selected=$(programs_like "$top/tests/programs" "$pattern")
[ -n "$selected" ] || die "no program matches $pattern"
# Cut short, a run should have seen programs of all kinds: an order that is mixed but always the same.
[ "$seconds" -eq 0 ] || selected=$(for f in $selected; do printf '%s %s\n' "$(basename "$f" | cksum | cut -d ' ' -f 1)" "$f"; done | sort -n | cut -d ' ' -f 2)
for f in $selected; do
    out_of_time && break
    run_program "$f"
done
summary
rc=$?
[ $keep = yes ] || [ $rc -ne 0 ] || rm -rf "$work"
exit $rc
