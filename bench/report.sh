#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: bench/report.sh [-B BUILD] [-n RANKS] SLICE|TRACE...
# What a page of commslice report costs: time, memory, size. Slices are run under engine emulate first (default 512 ranks).
set -u
. "$(dirname "$0")/common.sh"
ranks=512 tree=''
while getopts B:n: o; do
    case $o in
    B) tree=$OPTARG ;; n) ranks=$OPTARG ;; *) usage ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || usage
find_tools "$tree"
make_work

echo '| run | ranks | calls | classes | wall s | CPU s | memory, MB | page, KB |'
echo '|---|---|---|---|---|---|---|---|'
for file; do
    name=$(basename "$file") trace=$file
    case $(head -c 7 "$file") in
    CSTRACE | CSMERGE) ;;
    *) trace=$work/trace
        "$COMMSLICE" run --engine emulate -q -n "$ranks" -o "$trace" "$file" >"$work/log" 2>&1 || die "$file: $(tail -n 1 "$work/log")" ;;
    esac
    python3 - "$COMMSLICE" "$trace" "$work/page.html" "$name" <<'X' || die "$file: no report"
import json, os, resource, subprocess, sys, time
commslice, trace, page, name = sys.argv[1:]
start = time.time()
o = json.loads(subprocess.run([commslice, 'report', '--json', '-o', page, trace], check=True, stdout=subprocess.PIPE).stdout)
wall, used = time.time() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"| {name} | {o['nranks']:,} | {o['calls']:,} | {o['classes']} | {wall:.2f} | {used.ru_utime + used.ru_stime:.2f} | {used.ru_maxrss / 1024:.0f} | {os.path.getsize(page) / 1000:.0f} |")
X
done
