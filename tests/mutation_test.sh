#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The part of tests/mutation.sh that make check has time for: one dropped statement or mark a program, for at most 90 s.
# The whole is tests/mutation.sh --all; docs/checker.md has its figures.
top=$(cd "$(dirname "$0")/.." && pwd)
if "$top/tests/mutation.sh" -n 1 -t 90; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
