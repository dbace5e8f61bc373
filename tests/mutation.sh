#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Shows that the checker can fail: leaves one LIVE statement, or one mark, out of the slice of a test program, and counts how often
# the link, the run (channel check, watch) or the diff notices. docs/developers/checker.md has results and reasons; mutation.sh --help the usage.
set -u

usage() {
    cat <<'END'
usage: tests/mutation.sh [-B BUILD] [-w FOLDER] [-k PATTERN] [-e EVERY] [-n DROPS] [-t SECONDS] [-l LEAST] [-s] [--all] [--keep] [--resume|--show]
  -B BUILD     the build folder (default: $BUILD_DIR or build)
  -w FOLDER    where the programs and the results go (default: BUILD/tests/mutation.out)
  -k PATTERN   only programs whose name matches this shell pattern, or contains it
  -e EVERY     one program of so many, always the same ones, spread over all kinds (default 1: all)
  -n DROPS     for each program so many statements, spread evenly, and as many marks (default 12)
  -t SECONDS   stop after this time, with programs taken in an order that mixes them (default: no end)
  -l LEAST     per cent that must be noticed (default 95)
  -s           compare with the trace of the good slice, not of the original: saves the original's computation. That the two are
               the same is what run-programs.sh tests
  --all        every statement and every mark
  --keep       keep the folder with the programs
  --resume     go on with what is in the folder of an earlier run; what nobody noticed then is tried again
  --show       no run: only the summary of what is in the folder
Prints a summary, and a line for each drop that nobody noticed though PROGRAM.drops, beside the program, does not say that it changes nothing.
Columns: the link fails; the channel check speaks; ranks wait for ever; a rank computes for ever; the run fails; the diff.
code: the compiler makes the same code with the statement; same: PROGRAM.drops; slow: the run took too long by the clock;
unrun: the statement is never run; neither of the two counts as noticed. Exit status 0 if at least 95 % (-l) of the drops but `code` and `same` are noticed, else 1.
END
}

die() { printf 'mutation: %s\n' "$*" >&2; exit 2; }

top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/tests/program.sh"
build=${BUILD_DIR:-build} work='' pattern='*' every=1 drops=12 seconds=0 least=95 reference=orig keep=no resume=no
while [ $# -gt 0 ]; do
    case $1 in
        -B) build=$2; shift ;;
        -w) work=$2; shift ;;
        -k) case $2 in *[*?[]*) pattern=$2 ;; *) pattern="*$2*" ;; esac; shift ;;
        -e) every=$2; shift ;;
        -l) least=$2; shift ;;
        -n) drops=$2; shift ;;
        -s) reference=slice ;;
        -t) seconds=$2; shift ;;
        --all) drops=1000000 ;;
        --keep) keep=yes ;;
        --resume) resume=yes keep=yes ;;
        --show) resume=show keep=yes ;;
        --help|-h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
build=$(cd "$build" 2>/dev/null && pwd) || die "no build folder $build: configure and make there first"
[ -n "$work" ] || work=$build/tests/mutation.out
PATH=$build/cli:$PATH
# With engine emulate only ranks that poll need patience: waiting for ever is seen at once.
export COMMSLICE_LIBDIR="$build/commlib" COMMSLICE_PATIENCE=5
ASLEEP_SECONDS=8        # a run in which all sleep for so long never ends: until_asleep.c
CLOCK_SECONDS=90        # only so that there is an end: run_slice limits the time of the CPU
LINK_SECONDS=3600       # of the link that makes all faulty slices of a program
tab=$(printf '\t')

# ---- one program: original, object with link-time information, good slice ----

limited() { timeout -k 2 "$CLOCK_SECONDS" "$@"; }

link_slice() {  # OUTPUT FLAG...
    out=$1
    shift
    printf '%s\n' "$assume" >assumptions
    # shellcheck disable=SC2086  # words on purpose
    timeout -k 2 "$LINK_SECONDS" "commslice-$wrapper" -g0 -O2 -w $flags ${assume:+"-fplugin-arg-commslice-assume=$PWD/assumptions"} "$@" -o "$out" object.o ${more:+"$more"} -lm
}

# With the program's own input, in a folder without what an earlier run may have left there when it was broken off.
run_here() (  # LOG COMMAND...
    log=$PWD/$1 here=$PWD
    shift
    rm -rf inside && mkdir inside && cd inside || exit 2
    [ -z "$files" ] || make_files "$src"
    # shellcheck disable=SC2086  # words on purpose
    limited "$@" $arguments >"$log" 2>&1 <"$here/stdin"
)

# Luck shall not hide a fault: strict_run.c.
# shellcheck disable=SC3045  # -S: dash and bash have it
run_slice() {  # PROGRAM RANKS
    (
        ulimit -S -t 1          # of CPU time, whatever else the machine does; a good rank takes a hundredth of that
        ulimit -S -f 200000
        export LD_PRELOAD="$work/strict_run.so"
        run_here run.log "$work/until_asleep" $ASLEEP_SECONDS commslice run --engine "$engine" ${memory:+--memory "$memory"} -n "$2" -o ../trace "../$1"
    )
}

record_reference() {  # RANKS
    case $reference-$engine in
        slice-*) run_here orig.log commslice run --engine "$engine" -n "$1" -o "../orig.$1" ../slice ;;
        *-emulate) run_here orig.log commslice record --no-times --engine emulate -n "$1" -o "../orig.$1" -- ../orig ;;
        *) run_here orig.log commslice record --no-times -o "../orig.$1" -- "${MPIEXEC:-mpiexec}" -n "$1" ../orig ;;
    esac
}

# Original and slice agree with this engine at all rank counts, as they should.
agrees_with() {  # ENGINE
    engine=$1 memory=
    [ "$engine" = mpich ] || memory=1G
    for count in $ranks; do
        record_reference "$count" && same_trace slice "$count" || return 1
    done
}

prepare() {  # FILE: sets src, name, wrapper, ranks, assume, engine; goes to the program's folder
    src=$1 name=$(basename "${1%.*}") wrapper=$(tool "$1") assume=$(header "$1" assume)
    ranks=$(header "$src" ranks)
    ranks=$(echo "${ranks:-2 3}" | tr ' ' '\n' | sort -n | awk '$1 <= 9')
    few=$(echo "$ranks" | head -n 2)
    ranks="$ranks $(header "$src" checker-ranks)"
    mkdir -p "$work/$name" && cd "$work/$name" || exit 2
    more=$(opaque_object "$src" 2)
    flags=$(header "$src" flags)
    files=$(header "$src" files) arguments=$(header "$src" args)
    printf '%b' "$(header "$src" stdin)" >stdin
    if [ -f ready ]; then
        read -r engine memory <ready
        sed -i '/ \(not\|slow\)$/d' seen     # to be tried again
        return 0
    fi
    # shellcheck disable=SC2086  # words on purpose
    {
        { [ $reference = slice ] || limited "$(mpi_wrapper "$wrapper")" -g0 -O2 -w $flags -o orig "$src" ${more:+"$more"} -lm; } &&
            limited "commslice-$wrapper" -g -O2 -w $flags -c -o object.o "$src" &&
            link_slice slice -fplugin-arg-commslice-verbose &&
            "$(mpi_wrapper "$wrapper")" -show $flags drop.s -o drop ${more:+"$more"} -lm >link.cmd
    } >build.log 2>&1 || return 1
    agrees_with emulate || agrees_with mpich || return 1
    objcopy --dump-section .commslice=info slice /dev/null 2>objcopy.log || return 1
    zstd -dcqf info >info.txt || return 1       # where it is long it is compressed; -f passes plain text on
    list_statements >statements
    : >seen
    echo "$engine $memory" >ready
}

# ID, FUNCTION, FILE:LINE, TEXT, TEXT without version numbers, which of the kept statements of this text in the function (from 1).
list_statements() {
    awk -F '\t' -v OFS='\t' '
        $1 == "func" { func_name[n++] = $2 }
        $1 == "stmt" && $6 == 1 {
            key = $9
            gsub(/[._][0-9]+(\(D\))?/, "#", key)
            sub(/".*/, "\"", key)
            print $2, func_name[$3], $4 ":" $5, $9, key, ++seen[$3, key]
        }' info.txt
}

# How many `statements` or `marks` can be dropped.
candidates() { sed -n "s/^commslice:.* \([0-9]*\) $1.* can be dropped/\1/p" build.log; }

# ---- one run ----

same_trace() {  # PROGRAM RANKS: sets how
    how=
    rm -f trace trace.live
    run_slice "$1" "$2"
    rc=$?
    if [ $rc -eq 124 ] || [ $rc -eq 137 ]; then how=slow
    elif [ $rc -eq 125 ]; then how='wait'
    elif [ $rc -eq 0 ]; then limited commslice diff "orig.$2" trace >diff.log 2>&1 || how='diff'
    elif grep -q 'meets the unmarked\|differs: marked' run.log; then how=channel
    elif grep -q 'all ranks wait' run.log; then how='wait'
    elif grep -q 'signal 24\|CPU time limit' run.log; then how=loop
    else how=end
    fi
    [ -z "$how" ]
}

# ---- drops ----

# The compiler reads and slices the program once for many faulty slices, which differ in what they leave out: option test-mutants.
# Each of them is STEM.s: KIND.NUMBER.GONE.POISON.
compile_drops() {  # GONE POISON FILE: lines KIND NUMBER
    rm -rf list list.d
    { echo "none 0 $1 $2"; sed "s/\$/ $1 $2/" "$3"; } >list
    link_slice ignored -fplugin-arg-commslice-test-mutants="$PWD/list" >compile.log 2>&1
    linked=$?
}

# The assembly but for what the plugin says about the slice.
code_of() { sed '/^\t\.section\t\.commslice/,/^\t\(\.text\|\.data\|\.bss\|\.section\t[^.]\|\.section\t\.[^c]\)/d' "$1" | cksum; }

# Sets how: link, channel, wait, loop, end, diff, slow; code: as if nothing were missing; or "": nobody noticed.
try_mutant() {  # STEM GONE POISON
    # A link out of time says nothing about what it did not come to, or was writing.
    case $linked in 124|137) how=slow; return 0 ;; esac
    how='link'
    [ -s "list.d/$1.s" ] && ! grep -q 'error:' "list.d/$1.err" || return 0
    sum=$(code_of "list.d/$1.s")
    if [ "$sum" = "$good" ]; then
        # With zero, the value may just have been zero.
        how=
        [ "$2" != 77 ] || how=code
        return 0
    fi
    how=$(sed -n "s/^$3 $sum //p" seen)
    [ -z "$how" ] || { [ "$how" != not ] || how=; return 0; }
    cp "list.d/$1.s" drop.s
    if sh link.cmd >drop.log 2>&1; then
        counts=$few
        [ "$3" = 0 ] || counts=$ranks
        for count in $counts; do same_trace drop "$count" || break; done
    else
        how='link'
    fi
    echo "$3 $sum ${how:-not}" >>seen
}

# Of the drops in `todo`, those that nobody notices with this value go to `left`. What a trap (2) ends is run, but was not noticed.
try_all() {  # GONE LEFT: 1 poison, 2 trap, 0 neither
    : >left
    [ -s todo ] || return 0
    compile_drops "$1" "$2" todo
    good=$(code_of "list.d/none.0.$1.$2.s")
    while read -r kind number; do
        try_mutant "$kind.$number.$1.$2" "$1" "$2"
        # A trap is noticed wherever the statement is run.
        case $2-$how in 2-|2-code) ;; 2-*) how=not ;; esac
        if [ -n "$how" ]; then note "$kind" "$number" "$how" "$1.$2"; else echo "$kind $number" >>left; fi
    done <todo
}

# The warning of the test build names the statement; the good slice knows the rest.
note() {  # KIND NUMBER HOW WITH
    id=$(sed -n 's/.* statement \([0-9]*\) is left out.*/\1/p; s/.*mark of statement \([0-9]*\) .*/\1/p' "list.d/$1.$2.$4.err")
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$1" "$2" "$3" "$4" "$(grep -m 1 "^$id$tab" statements | cut -f 2-)" >>"$results"
}

# A dropped value is undefined: a slice that lacks it has 0 there, but anything else is as good. So is what a dropped store leaves: first
# what was there, then poison, which is also in fresh frames, and in the buffers of a call that lost its mark (docs/developers/checker.md).
try_drops() {  # FILE: lines KIND NUMBER
    cp "$1" todo
    try_all 0 0
    # A mark leaves no value behind.
    grep stmt left >todo
    grep mark left >marks
    try_all 77 0
    cat marks >>left
    cp left todo
    try_all 77 1
    while read -r kind number; do [ "$kind" = stmt ] || note "$kind" "$number" not 77.1; done <left
    grep stmt left >todo
    try_all -1 1
    cp left todo
    try_all 0 1
    cp left todo
    try_all 1 1
    cp left todo
    # Nobody noticed. Is it run at all? The program ends where the statement was.
    try_all 77 2
    while read -r kind number; do note "$kind" "$number" unrun 77.2; done <left
}

# Numbers of the sample, evenly spread.
sample() {  # KIND COUNT
    awk -v kind="$1" -v n="$2" -v k="$drops" 'BEGIN { if (k > n) k = n; for (i = 0; i < k; i++) print kind, int((i + 0.5) * n / k) }'
}

run_program() {  # FILE
    if ! prepare "$1"; then
        printf 'not usable: %s: original and slice differ, or do not build: see %s\n' "$name" "$work/$name"
        unusable=$((unusable + 1))
        return
    fi
    [ -n "$(candidates marks)" ] || die "$name: the link does not say what can be dropped"
    { sample stmt "$(candidates statements)"; sample mark "$(candidates marks)"; } |
        awk -F '[\t ]' -v name="$name" 'FILENAME != "-" { if ($1 == name) done[$2, $3] = 1; next } !(($1, $2) in done)' "$results" - >wanted
    rm -f part.*
    split -l 250 wanted part.
    for part in part.*; do
        [ -f "$part" ] || continue
        out_of_time && break
        try_drops "$part"
    done
    rm -rf list.d
    [ -z "${CS_PROGRESS_FD:-}" ] || printf 'mutation: %s\n' "$name" >&"$CS_PROGRESS_FD"
}

out_of_time() { [ "$seconds" -gt 0 ] && [ $(($(now) - since)) -gt $((seconds * 1000000000)) ]; }

# ---- all of them ----

# The drops that change nothing, of all programs: PROGRAM and the fields of its file, which docs/developers/checker.md explains.
equivalent_drops() {
    find "$top/tests/programs" -name '*.drops' | sort | while IFS= read -r file; do
        sed "s/^/$(basename "$file" .drops)$tab/" "$file"
    done
}

# Joins results with equivalent_drops.
summary() {
    equivalent_drops >"$work/equivalent-drops"
    awk -F '\t' -v unusable="$unusable" -v least="$least" -v programs="$(find "$top/tests/programs" -type f)" '
        # What holds wherever it stands (docs/developers/checker.md, Reasons).
        function by_rule(kind, text) {
            if (kind == "mark") return text ~ /(^|= )mpi_(wait|test|start)/
            return text ~ /^(dt|open|close|inquire|filepos|flush|wait)_parm[._0-9]*\.common\.(filename|line) = / ||
                text ~ /= (sr\.[0-9]+|[a-z0-9_.]*\$[a-z0-9_$.]*)_[0-9]+\(d\);$/
        }
        BEGIN { for (i = split(programs, path, "\n"); i; i--) { name = path[i]; sub(/.*\//, "", name); path_of[name] = path[i] } }
        function source_line(place,    file, number, line, i) {
            file = place; sub(/:[0-9]+$/, "", file); sub(/.*\//, "", file); file = path_of[file]
            number = place; sub(/.*:/, "", number)
            if (file == "") return ""
            if (!(file in lines)) for (lines[file] = 0; (getline line < file) > 0; ) {
                gsub(/^[ \t]+|[ \t]+$/, "", line)
                source[file, ++lines[file]] = line
            }
            return source[file, number]
        }
        function fits(pattern, text, which, from, run,    at) {
            if (pattern ~ /^[@?]/) return from == substr(pattern, 2) && (pattern ~ /^@/ || !run)
            if ((at = index(pattern, " @"))) return from == substr(pattern, at + 2) && fits(substr(pattern, 1, at - 1), text, which, from, run)
            return pattern == text || pattern == text " #" which || (pattern ~ /\*$/ && index(text, substr(pattern, 1, length(pattern) - 1)) == 1)
        }
        function listed(    i, from) {
            from = source_line($7)
            if (from == "") from = $7
            for (i = 1; i <= nlist[$1]; i++)
                if (kind_of[$1, i] == $2 && (func_of[$1, i] == $6 || func_of[$1, i] == "*") && fits(pattern[$1, i], $9, $10, from, $4 != "unrun")) return used[$1, i] = 1
            return 0
        }
        /^#/ { next }
        FILENAME != ARGV[2] { i = ++nlist[$1]; kind_of[$1, i] = $2; func_of[$1, i] = $3; pattern[$1, i] = $4; next }
        {
            how = $4
            if ((how == "not" || how == "unrun") && (by_rule($2, tolower($8)) || listed())) how = "same"
            if (how == "not" || how == "slow" || how == "unrun")
                printf "%s: %s %s %s: %s in %s  %s\n", how == "not" ? "not noticed" : how == "unrun" ? "not run" : "slow", $1, $2, $3, $7, $6, $8
            else if (how != "same" && how != "code") { if ($5 == "0.0") plain[$2]++; if ($5 ~ /1$/) poisoned[$2]++ }
            n[$2]++; by[$2, how]++
        }
        END {
            split("stmt mark", kinds, " "); nhows = split("link channel wait loop end diff code same slow unrun not", hows, " ")
            printf "%-5s %6s = %6s + %7s + %6s + %6s + %6s + %6s + %6s + %6s + %6s + %6s + %6s %9s\n", "", "drops", "link", "channel", "wait", "loop", "end", "diff", "code", "same", "slow", "unrun", "missed", "noticed"
            for (k = 1; k <= 2; k++) {
                kind = kinds[k]; counts = n[kind] - by[kind, "code"] - by[kind, "same"]
                printf "%-5s %6d", kind, n[kind]
                for (h = 1; h <= nhows; h++) printf " %s %*d", h == 1 ? "=" : "+", h == 2 ? 7 : 6, by[kind, hows[h]]
                if (!counts) { print "    none"; continue }
                part = 100 * (counts - by[kind, "not"] - by[kind, "slow"] - by[kind, "unrun"]) / counts
                printf " %7.1f %%: %.1f %% with 0 in its place, %.1f %% with another value, %.1f %% with poison\n", part,
                    100 * plain[kind] / counts, part - 100 * (plain[kind] + poisoned[kind]) / counts, 100 * poisoned[kind] / counts
                if (part < least) bad = 1
            }
            if (!(n["stmt"] + n["mark"])) { print "nothing was dropped"; bad = 1 }
            exit bad || unusable > 0
        }' "$work/equivalent-drops" "$results"
}

since=$(now) unusable=0
[ $resume != no ] || rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd) results=$work/results
touch "$results"
if [ $resume = show ]; then
    summary
    exit
fi
${CC:-cc} -O1 -fno-builtin -fPIC -shared -o "$work/strict_run.so" "$top/tests/mutation/strict_run.c" || die "cannot build strict_run.c"
${CC:-cc} -std=c11 -O1 -o "$work/until_asleep" "$top/tests/mutation/until_asleep.c" || die "cannot build until_asleep.c"
# Not those with threads: what these run is kept whole, so that many drops change nothing, or change it now and then.
selected=$(programs_like "$top/tests/programs" "$pattern" | while IFS= read -r f; do [ "$(header "$f" flags)" = -fopenmp ] || echo "$f"; done)
[ -n "$selected" ] || die "no program matches $pattern"
# What nobody noticed in an earlier run is tried again.
for f in $selected; do
    sed -i "/^$(basename "${f%.*}")$tab[^$tab]*$tab[^$tab]*$tab\\(not\\|slow\\|unrun\\)$tab/d" "$results"
done
# Cut short, a run should have seen programs of all kinds: an order that is mixed but always the same.
# One program of so many is chosen by its own name alone, so that a new program does not change which others are tried.
if [ "$seconds" -gt 0 ] || [ "$every" -gt 1 ]; then
    selected=$(for f in $selected; do printf '%s %s\n' "$(basename "$f" | cksum | cut -d ' ' -f 1)" "$f"; done | sort -n | awk -v e="$every" '$1 % e == 0 { print $2 }')
fi
for f in $selected; do
    out_of_time && break
    run_program "$f"
done
summary
rc=$?
[ $keep = yes ] || [ $rc -ne 0 ] || rm -rf "$work"
exit $rc
