#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The part of tests/mutation.sh that make check has time for: five statements and up to five marks of a third of the test programs, always
# the same ones, chosen by the checksum of their names. docs/developers/checker.md has the count over all drops.
top=$(cd "$(dirname "$0")/.." && pwd)
"$top/tests/mutation.sh" -e 3 -n 5 -l 95 -s
rc=$?
[ $rc -eq 0 ] && echo "1 passed, 0 failed" || echo "0 passed, 1 failed"
exit $rc
