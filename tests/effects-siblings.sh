#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do the rows of functions agree that do the same: `fgets` and `fgets_unlocked`, `fopen64`, `__isoc99_sscanf`, `__sprintf_chk`,
# `vsprintf`, `strtol_l`, and `wcstol`? Lists the pairs of slicer/model/effects.tab that do not, with what only one of them has.
# usage: effects-siblings.sh [TABLE]; exit 0 none, 1 some, 2 error.
set -u
table=${1:-${CS_EFFECTS_TAB:-${CS_SRCDIR:-$(dirname "$0")/..}/slicer/model/effects.tab}}
[ -r "$table" ] || { echo "effects-siblings.sh: $table: cannot be read" >&2; exit 2; }

differ=$(awk '
    # These differ for a reason: wcstok is strtok_r with other letters, and __longjmp_chk stands for siglongjmp, too.
    BEGIN { except["wcstok"] = except["__longjmp_chk"] = 1 }
    {
        sub(/#.*/, "")
        if (NF < 2) next
        n = split($1, name, ",")
        $1 = ""
        for (i = 1; i <= n; i++) row[name[i]] = $0
    }
    # What a token says without the arguments it says it of, which another form of the function has elsewhere, and
    # without extents: r0 and R1+ are r, s1<0 is s. States count as they are.
    function kind(t) {
        if (t ~ /^(h[rwdsc]?|hdr|hcall):/) { sub(/<.*/, "", t); return t }
        if (t ~ /^ret=static:/ || t !~ /^[a-zA-Z*]+[0-9=]/) return t
        sub(/[0-9=<\[+].*/, "", t)
        return tolower(t)
    }
    function has(list, t, loose,  w, m, i) {
        m = split(list, w, " ")
        for (i = 1; i <= m; i++) if ((loose ? kind(w[i]) : w[i]) == (loose ? kind(t) : t)) return 1
        return 0
    }
    # The argument that is the format, -1 for none.
    function format(list) {
        return match(list, /fmt[0-9]+/) ? substr(list, RSTART + 3, RLENGTH - 3) + 0 : -1
    }
    # Compares s with the function that it is a form of, if that has a row.
    function compare(s, base, loose, without,  w, m, i, odd) {
        if (s == base || !(base in row) || s in except) return
        m = split(row[s], w, " ")
        for (i = 1; i <= m; i++) if (!has(row[base], w[i], loose) && !(without && w[i] ~ without)) odd = odd " " s ":" w[i]
        m = split(row[base], w, " ")
        for (i = 1; i <= m; i++) if (!has(row[s], w[i], loose) && !(without && w[i] ~ without)) odd = odd " " base ":" w[i]
        if (s ~ /_chk$/ && format(row[base]) >= 0 && format(row[s]) <= format(row[base])) odd = odd " " s ":fmt" format(row[s])
        if (odd) print s " and " base ":" odd
    }
    END {
        for (s in row) {
            if (s ~ /[*@]/ || s ~ /^_(Z|gfortran_)/) continue
            base = s
            if (s ~ /^__.*_chk$/) { gsub(/^__|_chk$/, "", base); compare(s, base, 1) }
            else if (sub(/_unlocked$/, "", base)) compare(s, base, 0)
            else if (sub(/^__isoc(99|23)_/, "", base)) compare(s, base, 0)
            else if (sub(/64$/, "", base)) compare(s, base, 0)
            else if (sub(/^__/, "", base)) compare(s, base, 0)
            base = s
            if (sub(/_l$/, "", base)) compare(s, base, 1, "^(hr:locale|R[0-9]+[+]?)$")
            base = s
            if (s ~ /^v.*(printf|scanf)$/ && sub(/^v/, "", base)) compare(s, base, 1)
            base = s
            if (sub(/^wcs/, "str", base)) compare(s, base, 1)
            base = s
            if (sub(/^wmem/, "mem", base)) compare(s, base, 1)
        }
    }' "$table" | sort)
[ -z "$differ" ] && exit 0
printf '%s\n' "$differ"
exit 1
