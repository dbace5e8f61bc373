#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Shows that the checker can fail: leaves one LIVE statement, or one mark, out of the slice of a test program, and counts how often
# the link, the run (channel check, watch) or the diff notices. docs/checker.md has results and reasons; mutation.sh --help the usage.
set -u

usage() {
    cat <<'END'
usage: tests/mutation.sh [-B BUILD] [-k PATTERN] [-e EVERY] [-n DROPS] [-t SECONDS] [-l LEAST] [--all] [--keep] [--resume]
  -B BUILD     the build folder (default: $BUILD_DIR or build)
  -k PATTERN   only programs whose name matches this shell pattern, or contains it
  -e EVERY     one program of so many, always the same ones, spread over all kinds (default 1: all)
  -n DROPS     for each program so many statements, spread evenly, and as many marks (default 12)
  -t SECONDS   stop after this time, with programs taken in an order that mixes them (default: no end)
  -l LEAST     per cent that must be noticed (default 95)
  --all        every statement and every mark: hours
  --keep       keep the folder with the programs
  --resume     go on with what is in the folder of an earlier run; what nobody noticed then is tried again
Prints a summary, and a line for each drop that nobody noticed though tests/equivalent-drops does not say that it changes nothing. Columns: the link fails, the channel check speaks, ranks wait or run for ever, the run fails, the diff; code: the compiler makes the
same code with the statement; same: tests/equivalent-drops. Exit status 0 if at least 95 % (-l) of the drops but those two are noticed, else 1.
END
}

die() { printf 'mutation: %s\n' "$*" >&2; exit 2; }

top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/tests/program.sh"
build=${BUILD_DIR:-build} pattern='*' every=1 drops=12 seconds=0 least=95 keep=no resume=no
while [ $# -gt 0 ]; do
    case $1 in
        -B) build=$2; shift ;;
        -k) case $2 in *[*?[]*) pattern=$2 ;; *) pattern="*$2*" ;; esac; shift ;;
        -e) every=$2; shift ;;
        -l) least=$2; shift ;;
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
    limited "commslice-$wrapper" -g -O2 -w ${assume:+"-fplugin-arg-commslice-assume=$assume"} "$@" -o "$out" object.o ${more:+"$more"} -lm
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
    ranks=$(header "$src" ranks)
    ranks=$(echo "${ranks:-2 3}" | tr ' ' '\n' | sort -n | head -n 2)
    mkdir -p "$work/$name" && cd "$work/$name" || exit 2
    more=$(opaque_object "$src" 2)
    [ -f ready ] && return 0
    {
        limited "$(mpi_wrapper "$wrapper")" -g -O2 -w -o orig "$src" ${more:+"$more"} -lm &&
            limited "commslice-$wrapper" -g -O2 -w -c -o object.o "$src" &&
            link_slice slice -fplugin-arg-commslice-verbose
    } >build.log 2>&1 || return 1
    for count in $ranks; do
        run_here orig.log commslice record -o "orig.$count" -- "${MPIEXEC:-mpiexec}" -n "$count" ./orig &&
            same_trace slice "$count" || return 1
    done
    objcopy --dump-section .commslice=info.txt slice /dev/null 2>objcopy.log
    touch ready
}

same_trace() {  # PROGRAM RANKS: sets how
    how=
    rm -f trace trace.live
    # A run that is only slow, because the machine is busy, is no hang: it gets four times as long before it counts as one.
    for limit in 5 20; do
        run_here run.log commslice run -n "$2" -o trace "./$1"
        rc=$?
        [ $rc -eq 124 ] || [ $rc -eq 137 ] || break
    done
    limit=20
    if [ $rc -eq 124 ] || [ $rc -eq 137 ] || grep -q 'all ranks wait' run.log; then how='wait'
    elif grep -q 'meets the unmarked\|differs: marked' run.log; then how=channel
    elif [ $rc -ne 0 ]; then how=end
    else limited commslice diff "orig.$2" trace >diff.log 2>&1 || how='diff'
    fi
    [ -z "$how" ]
}

# How many `statements` or `marks` can be dropped.
candidates() { sed -n "s/^commslice:.* \([0-9]*\) $1.* can be dropped/\1/p" build.log; }

# ---- one drop ----

# A dropped value is undefined, so it is tried with zero and, if nobody notices, with another value.
# Sets how: link, channel, wait, end, diff, or if nobody noticed, code or ""; `place` and `text` of the statement.
drop() {  # stmt|mark NUMBER
    kind=$1 number=$2
    for gone in 0 77; do
        how=
        link_slice drop "-fplugin-arg-commslice-test-drop-$kind=$number" "-fplugin-arg-commslice-test-gone-values=$gone" >drop.log 2>&1 || how='link'
        describe
        [ -z "$how" ] || return
        for count in $ranks; do
            same_trace drop "$count" || return
        done
        [ "$kind" = stmt ] || return     # a mark leaves no value behind
    done
    same_code && how=code
}

# The compiler found for itself that what was dropped has no effect: it makes the same code, before addresses are known.
same_code() {
    [ -f good.code ] || code_of good.code || return 1
    code_of drop.code "-fplugin-arg-commslice-test-drop-$kind=$number" -fplugin-arg-commslice-test-gone-values=77 && cmp -s good.code drop.code
}

# No libraries: an object is all that is wanted, so plain gcc does it for all languages.
code_of() {  # OUTPUT FLAG...
    to=$1
    shift
    COMMSLICE_MPICC=${CC:-gcc} limited commslice-mpicc -g -O2 -w ${assume:+"-fplugin-arg-commslice-assume=$assume"} "$@" \
        -nostdlib -r -flinker-output=nolto-rel -o part.o object.o >part.log 2>&1 && objdump -dr part.o >"$to"
}

# The warning of the test build names the statement; the good slice knows its text.
describe() {
    line=$(grep -m 1 'test build' drop.log)
    place=$(basename "${line%%: commslice*}")
    id=$(printf '%s\n' "$line" | sed -n 's/.* statement \([0-9]*\) is left out.*/\1/p; s/.*mark of statement \([0-9]*\) .*/\1/p')
    text=$(awk -F '\t' -v id="$id" '$1 == "stmt" && $2 == id { print $9 }' info.txt)
}

try_drop() {  # stmt|mark NUMBER
    grep -q "^$name	$1	$2	" "$results" && return
    drop "$1" "$2"
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$1" "$2" "${how:-not}" "$place" "$text" >>"$results"
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
    [ -n "$(candidates marks)" ] || die "$name: the link does not say what can be dropped"
    for i in $(sample "$(candidates statements)"); do out_of_time && return; try_drop stmt "$i"; done
    for i in $(sample "$(candidates marks)"); do out_of_time && return; try_drop mark "$i"; done
    [ -z "${CS_PROGRESS_FD:-}" ] || printf 'mutation: %s\n' "$name" >&"$CS_PROGRESS_FD"
}

out_of_time() { [ "$seconds" -gt 0 ] && [ $(($(now) - since)) -gt $((seconds * 1000000000)) ]; }

# ---- all of them ----

# Joins results with tests/equivalent-drops (PROGRAM, stmt or mark, LINE, TEXT with # for version numbers, REASON, between tabs).
summary() {
    awk -F '\t' -v unusable="$unusable" -v least="$least" '
        function key(program, kind, line, text) {
            gsub(/[._][0-9]+(\(D\))?/, "#", text)
            sub(/".*/, "\"", text)
            return program SUBSEP kind SUBSEP line SUBSEP text
        }
        # What holds wherever it stands. The run-time library goes by the mark of the call that made the request; libgfortran
        # uses the name and line of the source for messages only; freeing a datatype is no event.
        function by_rule(kind, text) {
            if (kind == "mark") return text ~ /(^|= )mpi_(wait|test)/
            return text ~ /parm[._0-9]*\.common\.(filename|line) = / || text ~ /^mpi_type_free(_f08)? \(/
        }
        /^#/ { next }
        FILENAME != ARGV[2] { reason[key($1, $2, $3, $4)] = $5; next }
        {
            how = $4; line = $5; sub(/.*:/, "", line)
            if (how == "not" && by_rule($2, tolower($6))) how = "same"
            if (how == "not" && key($1, $2, line, $6) in reason) how = "same"
            if (how == "not") printf "not noticed: %s %s %s: %s  %s\n", $1, $2, $3, $5, $6
            n[$2]++; by[$2, how]++
        }
        END {
            split("stmt mark", kinds, " "); split("link channel wait end diff code same not", hows, " ")
            printf "%-5s %6s = %6s + %7s + %6s + %6s + %6s + %6s + %6s + %6s %9s\n", "", "drops", "link", "channel", "wait", "end", "diff", "code", "same", "missed", "noticed"
            for (k = 1; k <= 2; k++) {
                kind = kinds[k]; counts = n[kind] - by[kind, "code"] - by[kind, "same"]
                printf "%-5s %6d", kind, n[kind]
                for (h = 1; h <= 8; h++) printf " %s %*d", h == 1 ? "=" : "+", h == 2 ? 7 : 6, by[kind, hows[h]]
                if (!counts) { print "    none"; continue }
                part = 100 * (counts - by[kind, "not"]) / counts
                printf " %7.1f %%\n", part
                if (part < least) bad = 1
            }
            if (!(n["stmt"] + n["mark"])) { print "nothing was dropped"; bad = 1 }
            exit bad || unusable > 0
        }' "$top/tests/equivalent-drops" "$results"
}

since=$(now) unusable=0
[ $resume = yes ] || rm -rf "$work"
mkdir -p "$work"
touch "$results"
sed -i '/^[^	]*	[^	]*	[^	]*	not	/d' "$results"
selected=$(programs_like "$top/tests/programs" "$pattern")
[ -n "$selected" ] || die "no program matches $pattern"
# Cut short, a run should have seen programs of all kinds: an order that is mixed but always the same.
if [ "$seconds" -gt 0 ] || [ "$every" -gt 1 ]; then
    selected=$(for f in $selected; do printf '%s %s\n' "$(basename "$f" | cksum | cut -d ' ' -f 1)" "$f"; done | sort -n | cut -d ' ' -f 2 | awk -v e="$every" 'NR % e == 1 || e == 1')
fi
for f in $selected; do
    out_of_time && break
    run_program "$f"
done
summary
rc=$?
[ $keep = yes ] || [ $rc -ne 0 ] || rm -rf "$work"
exit $rc
