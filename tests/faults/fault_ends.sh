#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs the cases of a .cases file and looks for what must be told. Each must end within a second or so, and leave a trace that reads.
# usage: ends.sh COMMSLICE PROGRAM SOURCE CASES WORK        called by tests/faults_test.sh
set -u
commslice=$1 program=$2 source=$3 cases=$4 work=$5
limit_ms=2000       # from start to end, beyond five times what a run of as many ranks takes that ends well
passed=0 failed=0 name=''
tab=$(printf '\t')

now_ms() { echo $(($(date +%s%N) / 1000000)); }

# "@name" of a comment at the end of a line of the source, as a script for sed: its file and line.
awk -v file="$(basename "$source")" 'match($0, /@[A-Za-z0-9_]+( \*\/)?$/) {
    at = substr($0, RSTART + 1); sub(/ .*/, "", at)
    printf "s/@%s\\([^A-Za-z0-9_]\\|$\\)/[^ ]*%s:%d\\1/g\n", at, file, NR }' "$source" >"$work/places"

run() {  # NAME LOG TRACE RANKS OPTION...: sets code and took
    what=$1 log=$2 trace=$3 ranks=$4
    shift 4
    began=$(now_ms)
    COMMSLICE_PATIENCE=1 timeout 30 "$commslice" record -o "$trace" -n "$ranks" --engine emulate "$@" -- "$program" "$what" >"$log" 2>&1 </dev/null
    code=$?
    took=$(($(now_ms) - began))
}

problem() {
    problems=yes
    echo "FAIL  $name $words: $*"
}

end_case() {
    [ -n "$name" ] || return 0
    if [ "$problems" = no ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        sed 's/^/      /' "$work/ends.log"
    fi
}

begin_case() {  # NAME RANKS OPTION...
    name=$1 problems=no
    shift
    words=$*
    run "$name" "$work/ends.log" "$work/T" "$@"
    ended=$code took_it=$took
    [ "$ended" -eq 2 ] || problem "exit status $ended, not 2"
    # On a machine that does other things as well, everything takes longer, and now and then much longer.
    for again in 1 2 3; do
        [ "$took_it" -gt $limit_ms ] || break
        run none "$work/well.log" "$work/T.well" "$@"
        [ "$took_it" -gt $((limit_ms + 5 * took)) ] || break
        [ $again -lt 3 ] || problem "took $took_it ms, a run that ends well $took ms"
        run "$name" "$work/ends.log" "$work/T" "$@"
        took_it=$took
    done
    if ! "$commslice" info "$work/T" >"$work/info" 2>&1 || ! grep -q '^ranks' "$work/info"; then problem "commslice info: $(tail -n 2 "$work/info")"; fi
}

expect() {  # REGULAR EXPRESSION, after a ! if it must not be there
    pattern=$(printf '%s\n' "${1#!}" | sed -f "$work/places")
    case $pattern in *@*) problem "the source has no such place: $1" ;; esac
    case $1 in
        !*) grep -Eq -e "$pattern" "$work/ends.log" && problem "must not say: ${1#!}" ;;
        *) grep -Eq -e "$pattern" "$work/ends.log" || problem "does not say: $1" ;;
    esac
}

while IFS= read -r line; do
    case $line in
        "#"* | '') ;;
        "$tab"*) expect "${line#"$tab"}" ;;
        *)
            end_case
            # shellcheck disable=SC2086  # words on purpose
            begin_case $line ;;
    esac
done <"$cases"
end_case
echo "$passed ends passed, $failed failed ($(basename "$source"))"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
