#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The headers of tests/programs ask for what they mean: a misspelt key, or one too far down, would ask for nothing. And docs/test-programs.md,
# which says what keys there are, has a row for each program. Environment: CS_SRCDIR.
set -u
top=$(cd "${CS_SRCDIR:-$(dirname "$0")/../..}" && pwd)
. "$top/tests/program.sh"
page=$top/docs/test-programs.md
# shellcheck disable=SC2016  # Markdown's quotes
keys=$(sed -n 's/^| `\([a-z-]*\):` |.*/\1/p' "$page" | tr '\n' ' ')
passed=0 failed=0

# Keys in the comment at the top, each with its line: "KEY LINE".
keys_of() {  # FILE
    awk '!/^( \*|\/\*|\/\/|!|[cC*][ \t])/ { exit }
         { sub(/^( \*|\/\*|\/\/|!|[cC*][ \t])[ \t]*/, "") }
         /^[a-z-]+:/ { sub(/:.*/, ""); print $0, NR }' "$1"
}

wrong_with() {  # FILE
    name=$(basename "${1%.*}")
    [ "$(header "$1" commslice-test)" = "$name" ] || echo "is called $(header "$1" commslice-test)"
    [ -n "$(header "$1" about)" ] || echo "does not say what it is about"
    keys_of "$1" | while read -r key line; do
        case " $keys" in *" $key "*) ;; *) echo "$key: is no key" ;; esac
        [ "$line" -le 20 ] || echo "$key: is in line $line, behind the 20 that are read"
    done
    for n in $(header "$1" ranks); do [ "$n" -le 4 ] || echo "wants $n ranks"; done
    header "$1" array | while read -r array mbytes; do
        grep -qw "$array" "$1" && [ "$mbytes" -gt 0 ] || echo "has no array $array of $mbytes MB"
    done
    header "$1" marks | grep -vx 'content=[0-9]*'
    header "$1" files | grep -v '^[^ =]*=' | sed 's/^/files: /'
    if [ -n "$(header "$1" gone)" ]; then last='| gone |'; else last='|  |'; fi
    grep -q "^| $name |.* $last\$" "$page" || echo "has no row in docs/test-programs.md that ends with $last"
}

check() {  # FILE
    why=$(wrong_with "$1")
    if [ -z "$why" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $1: $why"; fi
}

for f in $(all_programs "$top/tests/programs"); do check "$f"; done
# A row without a program, or none found at all.
rows=$(sed -n '/^| name | language/,$s/^| \([a-z0-9_]*\) |.*/\1/p' "$page" | grep -vx name | sort)
[ "$(for f in $(all_programs "$top/tests/programs"); do basename "${f%.*}"; done | sort)" = "$rows" ] ||
    { failed=$((failed + 1)); echo "FAIL: docs/test-programs.md: its rows are not one for each program"; }
# The test itself must be able to fail.
bad=$(mktemp) && printf '/* commslice-test: x\n * abuot: y\n * marks: contents=2\n */\n' >"$bad" || exit 2
for what in 'is called x' 'does not say' 'abuot: is no key' 'contents=2' 'has no row'; do
    if wrong_with "$bad" | grep -q "$what"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: not noticed: $what"; fi
done
rm -f "$bad"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
