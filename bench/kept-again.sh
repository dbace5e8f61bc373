#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kept-again.sh: what today's slicer keeps of programs that were sliced before, without compiling them again: each slice carries its
# program's graph and assumptions. Shows which real programs a change of the slicer makes larger or smaller.
set -u
. "$(dirname "$0")/common.sh"

usage() {
    cat <<'END'
usage: bench/kept-again.sh [-B BUILD] FOLDER...
Looks in the folders for slices, such as those that bench/applications.sh -w leaves, and decides each again.

  -B BUILD  the build tree of commslice that decides (build)

A row a slice: statements; kept at its link, and today; what today's are of the former. Exit status 1 if one keeps more today.
END
}

build=$top/build
while getopts B:h o; do
    case $o in
        B) build=$OPTARG ;;
        h) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { usage >&2; exit 2; }
commslice=$(cd "$build" && pwd)/cli/commslice || exit 2
[ -x "$commslice" ] || die "$commslice: is not there"

rows=$(mktemp) || exit 2
trap 'rm -f "$rows"' EXIT
find "$@" -type f -perm -u+x | sort | while read -r slice; do
    linked=$("$commslice" info --json "$slice" 2>/dev/null | jq 'select(.statements) | .kept' 2>/dev/null)
    [ -n "$linked" ] || continue
    again=$("$commslice" advise --seconds 1 --json "$slice" 2>/dev/null | jq -r '"\(.statements) \(.kept)"')
    # shellcheck disable=SC2086  # two words
    [ -n "$again" ] && echo $again "$linked" "$slice" || echo "$slice: cannot be decided" >&2
done | awk '{ printf "%8d %8d %8d  %+6.1f %%  %s\n", $1, $3, $2, ($3 > 0 ? 100 * ($2 / $3 - 1) : 0), $4; more += ($2 > $3); less += ($2 < $3) }
    END { printf "%d slices: %d keep more than at their link, %d less\n", NR, more, less; exit (more > 0) }'
