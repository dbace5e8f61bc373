#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks one report of a trace: the page is well-formed and refers to nothing outside itself (tests/page_check), and its figures, those of the JSON and of the CSV files
# are those that other verbs give for the trace. usage: report_check.sh COMMSLICE PAGE_CHECK TRACE SHOWN FOLDER, where SHOWN is what is reported (the trace itself,
# or what merge or fold made of it) and FOLDER is new. Prints what is wrong; exit code 1 then.
set -u
commslice=$1 page_check=$2 trace=$3 shown=$4 folder=$5
figures=$(mktemp -d "${TMPDIR:-/tmp}/report_check.XXXXXX") || exit 2
trap 'rm -rf "$figures"' EXIT INT TERM
die() { echo "report_check: $*"; exit 1; }
mkdir "$folder" || exit 1
"$commslice" report -o "$folder/page.html" --pictures "$folder" --json "$shown" >"$figures/report" || die "no report"
"$commslice" matrix --csv "$trace" >"$figures/matrix.csv" && "$commslice" matrix --json "$trace" >"$figures/matrix" &&
    "$commslice" print --json "$trace" >"$figures/print" && "$commslice" info --json "$trace" >"$figures/info" || die "other verbs fail"

# NAME: a CSV file as JSON, an array of objects of strings. Quoted fields may have commas and doubled quotes.
csv() {
    awk -v q='"' '
    function json(s) { gsub(/\\/, "\\\\", s); gsub(/"/, "\\\"", s); gsub(/[\001-\037]/, "", s); return q s q }
    function split_line(line, f,    n, c, i, quoted, x) {
        n = 1; x = ""; quoted = 0
        for (i = 1; i <= length(line); i++) {
            c = substr(line, i, 1)
            if (quoted && c == q && substr(line, i + 1, 1) == q) { x = x q; i++ }
            else if (c == q) quoted = !quoted
            else if (c == "," && !quoted) { f[n++] = x; x = "" }
            else x = x c
        }
        f[n] = x
        return n
    }
    BEGIN { printf "[" }
    { sub(/\r$/, "") }
    NR == 1 { names = split_line($0, name); next }
    { n = split_line($0, f); if (n != names) { print "[" FILENAME ": " n " fields in line " NR "]" > "/dev/stderr"; exit 1 }
      printf("%s{", (NR > 2 ? "," : "")); for (i = 1; i <= n; i++) printf("%s%s:%s", (i > 1 ? "," : ""), json(name[i]), json(f[i])); printf "}" }
    END { print "]" }' "$folder/$1" >"$figures/$1" || exit 1
}
for name in collectives nest sites ranks sizes phases; do csv $name.csv; done
bad=0
"$page_check" "$folder/page.html" >"$figures/page" || bad=1
cmp "$folder/matrix.csv" "$figures/matrix.csv" || bad=1
for f in "$folder"/*; do
    case $f in
        *.part|*.report.*) echo "left behind: $f"; bad=1 ;;
        *.png) [ "$(head -c 8 "$f" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || { echo "no PNG: $f"; bad=1; } ;;
    esac
done

# Figures that must be equal: each line that this prints is a difference.
cat >"$figures/compare.jq" <<'X'
def check(what; got; want): if got == want then empty else "\(what): \(got | tostring[0:200]) in the report, \(want | tostring[0:200]) wanted" end;
def total(key): map(.[key] | tonumber) | add // 0;
def grouped: if . < 1000 then tostring else "\(. / 1000 | floor | grouped),\(. % 1000 + 1000 | tostring[1:])" end;
def abs: if . < 0 then -. else . end;
def counted(key): reduce .[] as $e ({}; .[$e | key | tojson] += 1);
def by_call(calls; bytes): group_by(.call) | map({key: .[0].call, value: [(map(calls) | add), (map(bytes) | add)]}) | from_entries;
def place: [.file, .line, (if .line < 0 then .func else "" end), .call, .mark];
def positive: with_entries(select(.value != 0));
def rows_of(id): [$page[0].rows[] | select(.table == id)];
["point_to_point", "wait", "collective", "other"] as $kinds
| $report[0] as $r | $matrix[0] as $m
| ([$m.pairs[].messages] | add // 0) as $messages | ([$m.pairs[].bytes] | add // 0) as $bytes | ([$m.collectives[].bytes] | add // 0) as $handed
| ($print | length) as $calls | ($print | counted(place)) as $at | ($print | counted(.rank)) as $of_rank
| ($m.collectives | map({key: .call, value: [.calls, .bytes]}) | from_entries) as $collectives
| {calls: $calls, messages: $messages, bytes: $bytes, handed_in: $handed} as $sums
| check("events of info"; $info[0].events; $calls),
  check("calls and bytes by call, of info"; $r.sites | by_call(.calls; .bytes + .handed_in); $info[0].calls | by_call(.calls; .bytes)),
  # JSON
  ({nranks: $m.ranks, pairs: ($m.pairs | length), unknown_destinations: $m.unknown_destinations} + $sums | to_entries[] | check("JSON " + .key; $r[.key]; .value)),
  ("sites", "ranks" | . as $what | $sums | keys[] | . as $key | check("JSON \($what) \($key)"; $r[$what] | map(.[$key]) | add // 0; $r[$key])),
  check("JSON sites"; $r.sites | map({key: (place | tojson), value: .calls}) | from_entries; $at),
  check("rows of JSON sites"; $r.sites | length; $at | length),
  check("JSON calls of ranks"; $r.ranks | map([.rank, .calls]); [range($m.ranks)] | map([., ($of_rank[tojson] // 0)])),
  (["source", ""], ["dest", "_in"] | . as [$way, $key] | "messages", "bytes" | . as $what
    | check("JSON ranks \($what)\($key)"; $r.ranks | map({key: (.rank | tostring), value: .[$what + $key]}) | from_entries | positive;
        $m.pairs | group_by(.[$way]) | map({key: (.[0][$way] | tostring), value: (map(.[$what]) | add)}) | from_entries | positive)),
  ("messages", "bytes", "handed_in" | . as $key | check("JSON sizes " + $key; $r.sizes | map(.[$key]) | add // 0; $r[$key])),
  ([$r.phases[] | .[$kinds[]]] | (add // 0) - $calls | abs | . as $off | ($r.phases | length) as $n
    | select($off > 0.5 * $n * 4 or ($r.phases_over == "calls" and $off > 0.05 * $calls + $n * 2)) | "phases are \($off) calls off"),
  # CSV
  check("collectives.csv"; $c_collectives[0] | map({key: .call, value: [(.calls | tonumber), (.handed_in | tonumber)]}) | from_entries; $collectives),
  ($sums | to_entries[] | .key as $key | .value as $want
    | check("sites.csv " + $key; $c_sites[0] | total($key); $want), check("ranks.csv " + $key; $c_ranks[0] | total($key); $want),
      check("nest.csv " + $key; $c_nest[0] | map(select(.depth == "0")) | total($key); $want)),
  check("sizes.csv"; $c_sizes[0] | total("bytes"); $bytes),
  ([$c_phases[0][] | .[$kinds[]] | tonumber] | (add // 0) - $calls | abs | select(. > 0.05 * ($c_phases[0] | length) * 4) | "phases.csv is \(.) calls off"),
  # page
  check("tile MPI calls"; [$page[0].tiles[] | select(.[1] == "MPI calls") | .[0]]; [$calls | grouped]),
  check("tile messages"; [$page[0].tiles[] | select(.[1] == "point-to-point messages") | .[0]]; [$messages | grouped]),
  check("rows of the table of sites"; (rows_of("site-table") | length) - 1; $r.sites | length),
  check("table of collectives"; rows_of("collectives") | map(select(.v | length > 2) | {call: .first, n: (.v[1] | tonumber), b: (.v[2] | tonumber)}) | by_call(.n; .b); $collectives),
  (if $calls > 0 then
    (rows_of("part-table") | map(select(.v | length > 1) | [.v[0:2][] | tonumber]) | check("calls of the parts of the program"; map(.[1]) | add // 0; $calls),
      check("parts in order"; map(.[0]); map(.[0]) | sort)) else empty end),
  (if $messages > 0 then
    check("messages of the picture"; [$page[0].data.c[][2]] | add; $messages), check("bytes of the picture"; [$page[0].data.c[][3]] | add; $bytes),
    ($page[0].data.cells | select(. > 128) | "\(.) cells, more than wanted") else empty end)
X
jq -n -r --slurpfile report "$figures/report" --slurpfile matrix "$figures/matrix" --slurpfile print "$figures/print" --slurpfile info "$figures/info" --slurpfile page "$figures/page" \
    --slurpfile c_collectives "$figures/collectives.csv" --slurpfile c_nest "$figures/nest.csv" --slurpfile c_sites "$figures/sites.csv" --slurpfile c_ranks "$figures/ranks.csv" \
    --slurpfile c_sizes "$figures/sizes.csv" --slurpfile c_phases "$figures/phases.csv" -f "$figures/compare.jq" >"$figures/wrong" || bad=1
cat "$figures/wrong"
[ ! -s "$figures/wrong" ] || bad=1
exit $bad
