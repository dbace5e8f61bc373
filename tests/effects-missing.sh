#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which functions would be opaque: lists the symbols that object files want, that none of them defines, and that neither
# slicer/model/effects.tab nor the table of MPI calls knows. usage: effects-missing.sh OBJECT... ; exit 0 none, 1 some, 2 error.
set -u
src=${CS_SRCDIR:-$(dirname "$0")/..}
effects=${CS_EFFECTS_TAB:-$src/slicer/model/effects.tab}
calls=${CS_MPI_CALLS:-$src/api/mpi_calls.def}

[ $# -gt 0 ] || { echo "usage: effects-missing.sh OBJECT..." >&2; exit 2; }
for f in "$effects" "$calls" "$@"; do
    [ -r "$f" ] || { echo "effects-missing.sh: $f: cannot be read" >&2; exit 2; }
done
symbols=$(nm -P -- "$@") || exit 2

# Lines of nm -P: name, type, value and size. Lines of objects and archive members end in a colon.
missing=$(printf '%s\n' "$symbols" | awk -v effects="$effects" -v calls="$calls" '
    BEGIN {
        while ((getline line < effects) > 0) {
            sub(/#.*/, "", line)
            if (split(line, word, /[ \t]+/) < 2) continue
            n = split(word[1], name, ",")
            for (i = 1; i <= n; i++) row[name[i]] = 1
        }
        while ((getline line < calls) > 0)
            if (line ~ /^(CALL0?|LARGE|WIDE)\(MPI_/ && match(line, /MPI_[A-Za-z0-9_]+/))
                mpi[tolower(substr(line, RSTART, RLENGTH)) (line ~ /^(LARGE|WIDE)/ ? "_c" : "")] = 1
    }
    $2 ~ /^[Uwv]$/ { wanted[$1] = 1; next }
    NF >= 2 && $2 ~ /^[A-Za-z]$/ { defined[$1] = 1 }
    # As cs_effects_find: the name itself, then the longest prefix.
    function has_row(s,  n) {
        if (s in row) return 1
        for (n = length(s); n > 0; n--) if ((substr(s, 1, n) "*") in row) return 1
        return 0
    }
    # MPI_Send, mpi_send_, mpi_send_f08_, mpi_send_f08ts_, mpi_send_f08ts_large_ and their PMPI forms; constants in COMMON
    # and modules.
    function is_mpi(s) {
        s = tolower(s)
        sub(/^p/, "", s); sub(/_$/, "", s); sub(/_(f08|f08ts)_large$/, "_c", s); sub(/_(f08|f08ts|cdesc)$/, "", s)
        return (s in mpi) || s ~ /^mpi(fcmb[0-9a-z]*|priv[0-9a-z]*|r_[a-z_0-9]*)$/ || s ~ /^__mpi.*_mod_/ || s ~ /^mpi_(f08_)?[a-z_]*_fn$/
    }
    END { for (s in wanted) if (!(s in defined) && !has_row(s) && !is_mpi(s)) print s }' | sort)
[ -z "$missing" ] && exit 0
printf '%s\n' "$missing"
exit 1
