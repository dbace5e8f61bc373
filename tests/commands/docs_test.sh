#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pages hold together: links and named files are there, every verb has a manual page, pages say what is and not what was, and the
# commands that README shows work.
set -u
. "$(dirname "$0")/../frame.sh"
unset COMMSLICE_LIBDIR COMMSLICE_PLUGIN

# A folder of sources to check: the real one, or a copy that was broken on purpose.
pages() { (cd "$1" && find README.md CONTRIBUTING.md NEWS.md docs emulate npb-patches -name '*.md'); }
manuals() { (cd "$1" && find docs/man -name '*.[13]'); }
fail_if() { [ ! -s "$1" ] || { cat "$1"; false; }; }

# The anchor that a heading gets: small letters, blanks as hyphens, no other signs.
anchors() { sed -n 's/^##* *//p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'; }

links() {  # TOP: "PAGE TARGET" of each link and picture that is no address of the web
    pages "$1" | while read -r page; do
        grep -oE '\]\([^)]+\)|src="[^"]+"' "$1/$page" | sed 's/^\](//; s/)$//; s/^src="//; s/"$//' | grep -v '^[a-z]*://' | sed "s|^|$page |"
    done
}

links_resolve() {  # TOP
    links "$1" | while read -r page target; do
        file=${target%%#*}
        if [ -z "$file" ]; then path=$1/$page; else path=$1/$(dirname "$page")/$file; fi
        [ -e "$path" ] || { echo "$page: $target is not there"; continue; }
        case $target in *\#*) anchors "$path" | grep -qxF "${target#*\#}" || echo "$page: $target: no such heading" ;; esac
    done >broken
    fail_if broken
}

# Pages that sources name, and sources that pages name. A name with * is a pattern.
named_in_sources() { (cd "$1" && grep -rnoE --exclude-dir=.git --exclude-dir=autom4te.cache --exclude-dir=docs --exclude='Makefile.in' --exclude='configure*' \
    '\bdocs/[A-Za-z0-9_/.-]+\.(md|1|svg|dot)\b' .); }
named_in_pages() { (cd "$1" && { pages .; manuals .; } | xargs grep -ohP \
    '(?<![\w/.-])(api|balance|base|bench|build-aux|cli|commlib|demo|emulate|gcc-plugin|skeleton|slicer|tests|trace)/[A-Za-z0-9_/.*-]*[A-Za-z0-9_/*]'); }
named_files_exist() {  # TOP
    { named_in_sources "$1"; named_in_pages "$1"; } | sed 's/.*://' | sort -u | while read -r name; do
        # shellcheck disable=SC2086  # patterns on purpose
        ls -d "$1"/$name >/dev/null 2>&1 || [ -e "$1/$name.c" ] || echo "$name is named, and is not there"
    done >broken
    fail_if broken
}

benchmarks_short() { [ "$(wc -l <"$1/docs/benchmarks.md")" -le 150 ] || { wc -l "$1/docs/benchmarks.md"; false; }; }

# Words of a diary. NEWS.md is the place for what was.
diary='\b(older|earlier) (slicer|recorder|writer|build|version|run|code)|\bfirst run\b|\bload (of )?[0-9]|\b[Tt]oday\b|\b[Nn]ow\b|\bsince then\b|\bused to\b|\(before:|\bno longer\b|\banymore\b|\bnot any more\b|\bnewer slicer|\bwas mended|\bis mended|\bwere mended|\bhas been mended|\buntil recently|\bpublished method'
no_diary() {  # TOP
    (cd "$1" && { pages . | grep -v '/*NEWS\.md$'; manuals .; } | xargs grep -nE "$diary" | grep -v '^\(\./\)*docs/glossary.md') >broken
    fail_if broken
}
help_no_diary() {
    verbs | while read -r verb; do "$COMMSLICE" help "$verb" | grep -E "$diary" | sed "s/^/$verb: /"; done >broken
    fail_if broken
}

verbs() { "$COMMSLICE" help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'; }
manual_of() {  # TOP VERB: a page with what belongs there, named on commslice(1)
    f=$1/docs/man/commslice-$2.1
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' 'SEE ALSO'; do
        grep -qxF ".SH $section" "$f" || echo "$2: no section $section"
    done
    grep -q "commslice\\\\-$2 (1)" "$1/docs/man/commslice.1" || echo "$2: not in SEE ALSO of commslice(1)"
    "$COMMSLICE" help "$2" | grep -oE -e '--[a-z-]+' | sort -u | while read -r option; do
        sed 's/\\-/-/g' "$f" | grep -qF -e "$option" || echo "$2: $option is not in its manual page"
    done
}
manuals_complete() {  # TOP
    verbs | while read -r verb; do manual_of "$1" "$verb"; done >broken
    fail_if broken && [ "$(verbs | wc -l)" -gt 10 ]
}

# Each page is in a makefile.
manuals_installed() {  # TOP
    (cd "$1" && manuals . | sed 's|^\./||' | while read -r page; do grep -qs "$page" ./*/local.mk || echo "$page is in no makefile"; done) >broken
    fail_if broken
}

# What README shows to type after ./run-demo: indented lines, and in tables what stands in quotes, in this order.
readme_commands() { sed -n 's/^    \([a-z].*\)/\1/p; /^| /{s/^[^|]*|[^|]*|//; s/` and `/`\n`/g; p}' "$1/README.md" | sed -n 's/^.*`\(.*\)`.*$/\1/p; /^[a-z]/p' | grep -E '^(commslice|mpicc|export|cd )'; }
readme_works() {  # TOP
    rm -rf demo.tree && mkdir -p demo.tree/build/demo.out && cp "$1"/demo/* demo.tree/build/demo.out && ln -s "$build/bin" demo.tree/build/bin || return 1
    readme_commands "$1" >commands && [ "$(wc -l <commands)" -ge 12 ] || { echo "too few commands were found:"; cat commands; return 1; }
    (cd demo.tree && sh -euxc "$(cat ../commands)")
}

case_ "links" links_resolve "$top"
case_ "named files" named_files_exist "$top"
case_ "benchmarks.md has at most 150 lines" benchmarks_short "$top"
case_ "no diary in pages" no_diary "$top"
case_ "no diary in help texts" help_no_diary
case_ "a manual page for each verb" manuals_complete "$top"
case_ "each manual page is installed" manuals_installed "$top"
case_ "commands of README" readme_works "$top"

# The test itself can fail.
finds() {  # TEXT COMMAND...
    text=$1; shift
    if "$@" >found 2>&1; then echo "nothing was found"; false; else grep -q "$text" found || { cat found; false; }; fi
}
mkdir bad && cp -r "$top/README.md" "$top/CONTRIBUTING.md" "$top/NEWS.md" "$top/docs" "$top/demo" "$top/emulate" "$top/npb-patches" bad && chmod -R u+w bad || exit 2
{ echo '[x](none.md) [y](docs/glossary.md#nonesuch)'; echo 'see `slicer/none.c`; the older slicer said so'; echo '| try | `commslice nonesuch` |'; } >>bad/README.md
i=0; while [ $i -lt 200 ]; do echo; i=$((i + 1)); done >>bad/docs/benchmarks.md
sed -i 's/^\.SH SEE ALSO/.SH ELSEWHERE/' bad/docs/man/commslice-diff.1
case_ "finds a broken link" finds 'none.md is not there' links_resolve bad
case_ "finds a missing heading" finds 'nonesuch: no such heading' links_resolve bad
case_ "finds a missing file" finds 'slicer/none.c' named_files_exist bad
case_ "finds a long page" finds benchmarks.md benchmarks_short bad
case_ "finds a diary" finds 'older slicer' no_diary bad
case_ "finds an incomplete manual page" finds 'diff: no section SEE ALSO' manuals_complete bad
mkdir bad/cli && sed '/commslice-diff\.1/d' "$top/cli/local.mk" >bad/cli/local.mk
case_ "finds a manual page that is not installed" finds 'docs/man/commslice-diff.1 is in no makefile' manuals_installed bad
case_ "finds a command that does not work" finds 'no verb nonesuch' readme_works bad
finish
