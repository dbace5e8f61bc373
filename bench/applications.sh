#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# applications.sh: what a slice keeps, costs and gets right for public applications, of which the user has copies.
# A recipe a program, bench/applications/NAME, says how to build and run it; nothing of the programs themselves is here.
# shellcheck disable=SC1090,SC1091,SC2034,SC2154  # recipes, and what they use; what common.sh sets
set -u
. "$(dirname "$0")/common.sh"

help() {
    cat <<'END_HELP'
usage: bench/applications.sh [OPTIONS] FOLDER [NAME...]
FOLDER holds your copies of the applications; each recipe of bench/applications names the one that it wants, and is left alone.
NAME: only these recipes (all). Each program is built as it is, with -flto, and as a slice, without and with the recipe's assumptions.

  -B BUILD    build tree of commslice
  -n RANKS    ranks of every run, in place of the recipe's (a recipe may scale its input by them)
  -N "RANKS..."  sizes that fit: the recipe's input of about the same work for each rank, on 8 and then on these ranks, there without the slice as
              it is, unless nothing is suggested. What -a has from runs on 8, 12 and 27 ranks (a recipe may have others) is used on all
  -q          sizes that fit many ranks on a small machine: with -N, the least work for each rank that a recipe has
  -s          only build and link; run nothing
  -r          run only the slices, each with all turns of its loops and with one turn for all (bench/one-turn.sh, a loop of any length): are the
              traces the same?
  -a          in place of the recipe's assumptions, but for those without which it does not link, what `commslice advise` suggests:
              of its first three suggestions the one that keeps least and runs; trip counts, values and whether it holds are taken from a
              run of the instrumented original. Prints the assumptions, too, and what processor time advise took, over that of the link
  -c          build only the slice, link it anew, and ask `commslice advise` right after that, of recorded runs as -a: a row of the statements
              that it keeps as it is and with what advise suggests, the link's processor seconds, those of advise, and their ratio
  -w FOLDER   work here and leave everything there; what is there already is not made again
  -t SECONDS  what takes longer is ended and reported (900)
  -l          list the recipes, and whether FOLDER has their copies
  --json      one object a line in place of the table
  --help      this text

A row a slice; "+" is the one with the recipe's assumptions. kept: per cent of the statements; link s, times: processor seconds of the slicing
link, and over those of the plain -flto link; trace: does `commslice diff` find the original's and the slice's the same (engine emulate)? within20%: but for counts of elements, with
assumptions about values, which differ by at most so much (50 % at most).
s, MB: processor seconds and memory of the whole run, all ranks together, of the slice, and over those of the original.
Exit status 1: something does not build, does not run, or communicates differently.
END_HELP
}

# ---- options ----

form=table
for o in "$@"; do
    case $o in --help) help; exit 0 ;; esac
done
for o in "$@"; do
    shift
    case $o in --json) form=json ;; *) set -- "$@" "$o" ;; esac
done
tree='' given_ranks='' more='' least=no runs=yes work='' limit=900 list=no ask=no
while getopts B:n:N:qsracw:t:l o; do
    case $o in
    B) tree=$OPTARG ;; n) given_ranks=$OPTARG ;; N) more=$OPTARG ;; q) least=yes ;; s) runs=no ;; r) runs=repeats ;; c) runs=advice ;; a) ask=yes ;; w) work=$OPTARG ;; t) limit=$OPTARG ;; l) list=yes ;; *) help >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || { help >&2; exit 2; }
copies=$(cd "$1" && pwd) || die "$1: no folder"
shift
recipes=$top/bench/applications
# shellcheck disable=SC2046  # words
[ $# -ge 1 ] || set -- $(ls "$recipes")

# What a recipe may say, and what holds where it does not. Its functions run in the folder where the program is compiled.
load() { # NAME
    [ -e "$recipes/$1" ] || die "$1: no recipe of that name in bench/applications"
    copy='' copy_of_ours='' where=. compiler=c flags='-O2 -g' libraries='' order=no sources='' ranks=4 small='8 12 27' arguments='' stdin=/dev/null needed='' assume=''
    prepare() { :; }
    input() { :; }
    scale() { :; }
    . "$recipes/$1"
    [ -z "$more" ] || ranks=${small%% *}
    ranks=${given_ranks:-$ranks}
    copy=${copy_of_ours:+$top/}${copy_of_ours:-$copies/$copy}
    at_size
}

# With -N, has the recipe set its variables for $ranks ranks, in a grid of X x Y x Z, or of X2 x Y2; $least: for the least work.
at_size() {
    [ -n "$more" ] || return 0
    # shellcheck disable=SC2046  # numbers
    set -- $(awk -v n="$ranks" 'BEGIN {
        for (x = int(n ^ (1 / 3) + 1e-9); n % x; x--); m = n / x; for (y = int(sqrt(m) + 1e-9); m % y; y--);
        for (a = int(sqrt(n) + 1e-9); n % a; a--); print m / y, y, x, n / a, a }')
    X=$1 Y=$2 Z=$3 X2=$4 Y2=$5
    scale
}

if [ $list = yes ]; then
    for name in "$@"; do
        load "$name"
        [ -d "$copy" ] && found='' || found=' (not there)'
        printf '%-16s %s%s\n' "$name" "${copy##*/}" "$found"
    done
    exit 0
fi

# ---- tools ----

find_tools "$tree"
if [ -n "$work" ]; then
    mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 2
else
    make_work
fi
bin=$(dirname "$COMMSLICE")/../bin
[ -x "$bin/commslice-mpicc" ] || bin=$(dirname "$(command -v commslice-mpicc)")
$CC -O2 -o "$work/whole-run" "$top/bench/whole-run.c" || die "cannot compile whole-run.c"
$CC -O1 -o "$work/peak" "$top/tests/peak.c" || die "cannot compile tests/peak.c"

wrapper() { # c|c++|fortran
    case $1 in c) echo mpicc ;; c++) echo mpicxx ;; fortran) echo mpifort ;; esac
}
compiler_for() { # KIND LANGUAGE
    case $1 in original) wrapper "$2" ;; *) echo "$bin/commslice-$(wrapper "$2")" ;; esac
}
language() { # SOURCE
    case $1 in *.c) echo c ;; *.cc | *.cpp | *.C | *.cxx) echo c++ ;; *) echo fortran ;; esac
}
object() { echo "$1" | sed 's|/|-|g; s|\.[^.]*$|.o|; s|^\(\.-\)*||; s|^\.\.-||'; }
word() { awk -v w="$1" '{ for (i = 1; i < NF; i++) if ($i == w) { print $(i + 1); exit } }'; }
failed=0
trouble() { # WHAT, with the last line of the log
    failed=1
    printf '%s: %s: %s: %s\n' "$me" "$name" "$1" "$(grep -v 'serial compilation\|-flto. option' "$log" | grep -m1 -i 'error\|refused\|cannot' || tail -n 1 "$log")" >&2
}

# ---- building ----

# Compiles in a copy of the copy, once as the original with -flto and once with the plugin.
compile() { # KIND
    kind=$1 log=$work/$name/$kind.log
    at=$work/$name/$kind
    [ ! -e "$at/compiled" ] || return 0
    rm -rf "$at" && mkdir -p "$at" && cp -R "$copy/." "$at/" || return 1
    (
        cd "$at/$where" && prepare || exit 1
        mkdir -p objects.cs
        lto=
        [ "$kind" = slice ] || lto=-flto
        # shellcheck disable=SC2086  # patterns and flags
        for s in $sources; do
            echo "$(compiler_for $kind "$(language "$s")") $flags $lto -c -o objects.cs/$(object "$s") $s"
        done >commands.cs
        [ $order = yes ] && jobs=1 || jobs=$(nproc)
        xargs -d '\n' -P "$jobs" -I COMMAND sh -c 'COMMAND || { echo "error: COMMAND"; exit 255; }' <commands.cs
    ) >"$log" 2>&1 || { trouble "does not compile ($kind)"; return 1; }
    : >"$at/compiled"
}

# Links; leaves the program and what the link took.
link() { # KIND OUTPUT MORE...
    kind=$1 out=$2 log=$work/$name/$2.link
    shift 2
    at=$work/$name/$kind/$where
    [ ! -x "$at/$out.cs" ] || return 0
    [ "$kind" = original ] && set -- "$@" -flto
    # shellcheck disable=SC2046,SC2086
    (cd "$at" && timeout "$limit" "$work/whole-run" "$work/peak" "$at/$out.peak" "$(compiler_for "$kind" $compiler)" $flags "$@" -o "$out.cs" \
        $(for s in $sources; do echo "objects.cs/$(object "$s")"; done) $libraries) >"$log" 2>&1
    rc=$?
    [ $rc != 124 ] || { echo "error: not done after $limit s" >>"$log"; }
    if [ $rc != 0 ] || [ ! -x "$at/$out.cs" ]; then
        trouble "does not link ($out)"
        return 1
    fi
}
link_seconds() { grep '^s .* exit' "$work/$name/$1.link" | word cpu; }

# ---- running ----

in_place() { (cd "$work/$name/$1/$where" && shift && "$@" <"$stdin"); }

# Runs once for the trace and the processor time and what the kernel counts as memory.
run() { # KIND PROGRAM
    log=$work/$name/$2.$ranks.log
    trace=$work/$name/$2.$ranks.trace
    [ ! -e "$trace" ] || return 0
    if [ "$1" = original ]; then set -- "$@" record --no-times; else set -- "$@" run; fi
    kind=$1 program=$2
    shift 2
    # shellcheck disable=SC2086
    in_place "$kind" "$work/whole-run" -m timeout "$limit" "$COMMSLICE" "$@" --engine emulate -n "$ranks" -o "$trace" -- "./$program.cs" $arguments >"$log" 2>&1
    rc=$?
    ! grep -q 'exit 124' "$log" || { echo "error: not done after $limit s" >>"$log"; }
    [ $rc = 0 ] && grep -q 'exit 0' "$log" && return 0
    rm -f "$trace"
    trouble "$program does not run on $ranks ranks"
    return 1
}
of_run() { # PROGRAM WORD
    grep '^s .* exit' "$work/$name/$1.$ranks.log" | word "$2"
}

# ---- rows ----

heading() {
    [ $runs != advice ] || printf '%-16s %4s %8s %8s %8s %8s %6s\n' program runs kept advised 'link s' 'advise s' 'of it'
    [ $runs = advice ] || [ $form = json ] || [ $runs = repeats ] || printf '%-16s %1s %6s %8s %6s %8s %6s %10s %9s %8s %9s %8s\n' program '' ranks 'kept %' 'link s' times 'MB' trace s 'of it' MB 'of it'
}
row() { # ADVISED RANKS KEPT LINK TIMES LINKMB TRACE S SHARE MB SHARE
    if [ $form = json ]; then
        shown=
        for key in assumptions ranks kept link_s link_times link_mb trace s s_share mb mb_share; do
            case $1 in yes | no | [a-z]*) v="\"$1\"" ;; -) v=null ;; *) v=$1 ;; esac
            shown="$shown, \"$key\": $v"
            shift
        done
        printf '{"program": "%s"%s}\n' "$name" "$shown"
    else
        [ "$1" = yes ] && mark=+ || mark=' '
        shift
        printf '%-16s %1s %6s %8s %6s %8s %6s %10s %9s %8s %9s %8s\n' "$name" "$mark" "$@"
    fi
}
share() { awk "BEGIN { printf \"%.3f\", ($2 + 0) ? ($1) / ($2) : 0 }"; }

# With all turns of all loops and with one for all: the row of one-turn.sh.
repeats() { # ADVISED PROGRAM
    log=$work/$name/$2.turns
    # shellcheck disable=SC2086  # words
    COMMSLICE_REPEAT_FROM=1 in_place slice timeout "$limit" sh "$top/bench/one-turn.sh" -B "$build" -n "$ranks" "./$2.cs" $arguments >"$log" 2>&1 ||
        trouble "$2 with all turns and with one"
    if [ "$1" = yes ]; then mark=+; else mark=' '; fi
    printf '%-16s %1s %6s %s\n' "$name" "$mark" "$ranks" "$(tail -n 1 "$log")"
}

measure() { # ADVISED PROGRAM
    if [ $runs = repeats ]; then repeats "$@"; return; fi
    kept=$("$COMMSLICE" info "$work/$name/slice/$where/$2.cs" | sed -n 's/.* kept, \([0-9.]*\) %/\1/p' | head -n 1)
    s=$(link_seconds "$2")
    mb=$(awk '{ printf "%.0f", $2 / 1024 }' "$work/$name/slice/$where/$2.peak")
    times=$(share "$s" "$(link_seconds original)")
    if [ $runs = no ]; then
        row "$1" "$ranks" "$kept" "$s" "$times" "$mb" - - - - -
        return
    fi
    run original original || { row "$1" "$ranks" "$kept" "$s" "$times" "$mb" - - - - -; return; }
    verdict=fails
    run slice "$2" || { row "$1" "$ranks" "$kept" "$s" "$times" "$mb" fails - - - -; return; }
    # Counts that are assumed differ; what else there is must be the same.
    allow=''
    case " $assume" in *:*:*=*) [ "$1" = no ] || allow='--tolerance 0.5' ;; esac
    # shellcheck disable=SC2086  # an option and its value
    if "$COMMSLICE" diff $allow "$work/$name/original.$ranks.trace" "$trace" >"$work/$name/$2.$ranks.diff" 2>&1; then
        verdict=same
        far=$(sed -n 's/.* counts\{0,1\} differs\{0,1\}, by at most \([0-9]*\).*/\1/p' "$work/$name/$2.$ranks.diff")
        [ -z "$far" ] || verdict="within$far%"
    else
        verdict=differs failed=1
    fi
    row "$1" "$ranks" "$kept" "$s" "$times" "$mb" "$verdict" "$(of_run "$2" cpu)" "$(share "$(of_run "$2" cpu)" "$(of_run original cpu)")" \
        "$(of_run "$2" all)" "$(share "$(of_run "$2" all)" "$(of_run original all)")"
}

# Records the instrumented original on $ranks ranks, for advise.
tell() {
    trace=$work/$name/instrumented.$ranks.trace
    # shellcheck disable=SC2086  # words
    [ -e "$trace" ] || in_place slice timeout "$limit" "$COMMSLICE" record --no-times --engine emulate -n "$ranks" -o "$trace" -- \
        ./instrumented.cs $arguments >"$log" 2>&1 || { trouble "the instrumented original does not run on $ranks ranks"; return; }
    told="$told --trace $trace"
}

# Records runs of the instrumented original for advise. Sets $told.
record_for_advise() {
    log=$work/$name/advise.log told=''
    write_assumptions needed "$needed"
    link slice instrumented "$option" -fplugin-arg-commslice-mode=original || return
    if [ -n "$more" ]; then
        for ranks in $small; do at_size && make_input && tell; done
        ranks=${small%% *} && at_size && make_input
    else
        make_input && tell
    fi
}

# Writes what advise suggests to a file, one suggestion a line, that which keeps least first; runs of the original are recorded for it.
ask_advise() {
    record_for_advise || return
    # shellcheck disable=SC2086  # options and their values
    in_place slice "$work/whole-run" sh -c 'out=$1 log=$2; shift 2; exec "$@" >"$out" 2>"$log"' advise "$work/$name/advise.json" "$log" \
        "$COMMSLICE" advise --json $told slice.cs >"$work/$name/advise.took"
    jq -r '[.suggestions // [] | .[] | select(.worth_it)][:3] | map(select([.assumptions[].assume | endswith("=N")] | any | not)) |
        sort_by(.kept)[] | [.assumptions[].assume] | join(" ")' "$work/$name/advise.json" |
        sed "s|called:FILE|called:$work/$name/called.info|" >"$work/$name/suggestions"
    for t in $told; do
        [ "$t" = --trace ] || "$COMMSLICE" info "$t"
    done >"$work/$name/called.info"
}

# What advise takes of the link of the same slice: both are made anew.
advice() {
    compile slice && record_for_advise || return
    rm -f "$work/$name/slice/$where/again.cs"
    link slice again "$option" || return
    # shellcheck disable=SC2086  # options and their values
    in_place slice "$work/whole-run" sh -c 'out=$1; shift; exec "$@" >"$out"' again "$work/$name/again.json" \
        "$COMMSLICE" advise --json $told again.cs >"$work/$name/again.took" 2>&1
    grep -q 'exit [01]$' "$work/$name/again.took" || { log=$work/$name/again.took; trouble "advise fails"; return; }
    took=$(word cpu <"$work/$name/again.took") s=$(link_seconds again)
    least=$(jq '[.kept, (.suggestions // [] | .[] | .kept)] | min' "$work/$name/again.json")
    printf '%-16s %4s %8s %8s %8s %8s %6s\n' "$name" "$(echo "$told" | wc -w | awk '{ print $1 / 2 }')" "$(jq .kept "$work/$name/again.json")" \
        "$least" "$s" "$took" "$(share "$took" "$s")"
}

# Writes what is assumed to a file, as together they may be longer than a command line may be. Sets $option for the link.
write_assumptions() { # NAME TEXTS
    # shellcheck disable=SC2086  # words
    printf '%s\n' $2 >"$work/$name/$1.assume"
    option=-fplugin-arg-commslice-assume=$work/$name/$1.assume
}

# Its input, where it runs, for $ranks ranks.
make_input() {
    for kind in original slice; do
        [ ! -e "$work/$name/$kind/compiled" ] || (cd "$work/$name/$kind/$where" && input) || die "$name: its input cannot be made"
    done
}

application() { # NAME
    name=$1
    load "$name"
    [ -d "$copy" ] || { printf '%s: %s: no copy: %s is not there\n' "$me" "$name" "$copy" >&2; failed=1; return; }
    mkdir -p "$work/$name"
    if [ $runs = advice ]; then advice; return; fi
    { [ $runs = repeats ] || compile original; } && compile slice || return
    make_input
    [ $runs = repeats ] || link original original || return
    write_assumptions needed "$needed"
    link slice slice "$option" && measure no slice
    : >"$work/$name/suggestions"
    if [ $ask = yes ]; then ask_advise; elif [ -n "${assume# }" ]; then echo "$assume" >"$work/$name/suggestions"; fi
    assumed
}

# What advise took, over the link of the slice, and what it suggests.
told() { # ASSUMPTIONS
    took=$(word cpu <"$work/$name/advise.took")
    printf '                   advise %s s, %s of the link; %s assumed: %.2000s\n' "$took" "$(share "$took" "$(link_seconds slice)")" "$(echo "$1" | wc -w)" "$1"
}

# A slice with what is suggested; with the next suggestion, if that slice does not run. On more ranks the slice as it is,
# if nothing is suggested.
assumed() {
    nr=0 verdict=none
    while IFS= read -r assume <&3; do
        nr=$((nr + 1)) verdict=none
        write_assumptions "suggested.$nr" "$needed $assume"
        link slice "suggested.$nr" "$option" || continue
        measure yes "suggested.$nr"
        [ $ask = no ] || [ $form = json ] || told "$assume"
        [ "$verdict" = fails ] || break
    done 3<"$work/$name/suggestions"
    if [ "$nr" = 0 ] && [ $ask = yes ] && [ $form = table ]; then told ''; fi
    [ "$verdict" != fails ] || return
    for ranks in $more; do
        at_size && make_input
        if [ "$nr" = 0 ]; then measure no slice; else measure yes "suggested.$nr"; fi
    done
}

heading
for a in "$@"; do
    application "$a"
done
exit $failed
