#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The headers of tests/programs ask for what they mean: a misspelt key, or one too far down, would ask for nothing.
# docs/test-programs.md says what keys there are.
set -u
. "$(dirname "$0")/../frame.sh"
page=$top/docs/test-programs.md
# shellcheck disable=SC2016  # Markdown's quotes
keys=$(sed -n 's/^| `\([a-z-]*\):` |.*/\1/p' "$page" | tr '\n' ' ')

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
}

check() {  # FILE
    why=$(wrong_with "$1")
    if [ -z "$why" ]; then pass "$(basename "$1")"; else fail "$1" "$why"; fi
}

for f in $(all_programs "$top/tests/programs"); do check "$f"; done
# No file is overlooked: what is no program is code that one of them links unseen.
for f in $(find "$top/tests/programs" -type f -name '[!.]*'); do
    case $(basename "$f") in unseen_*) continue ;; *.drops) continue ;; esac
    [ -n "$(header "$f" commslice-test)" ] || fail "$f has no header commslice-test:"
done
names=$(for f in $(all_programs "$top/tests/programs"); do basename "${f%.*}"; done | sort)
equal "no two programs have the same name" "" "$(echo "$names" | uniq -d)"
equal "tests/list-programs lists each of them" "$(echo "$names" | wc -l)" "$("$top/tests/list-programs" | grep -c '^  ')"
# The test itself must be able to fail.
printf '/* commslice-test: x\n * abuot: y\n * marks: contents=2\n */\n' >bad.c
for what in 'is called x' 'does not say' 'abuot: is no key' 'contents=2'; do
    case_ "noticed: $what" eval 'wrong_with bad.c | grep -q "$what"'
done
finish
