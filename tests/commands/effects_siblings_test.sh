#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests effects-siblings.sh: in the table all forms of a function agree; where a form lacks a state, a write or has the
# format elsewhere, the pair is named with what is missing.
set -u
. "$(dirname "$0")/../frame.sh"

siblings() { "$top/tests/effects-siblings.sh" "$@"; }
case_ "the table's rows agree" siblings "$top/slicer/model/effects.tab"

cat >bad.tab <<'END'
fgets           w0 R2 W2 ret=0 hr:locale hw:errno
fgets_unlocked  w0 R2 W2 ret=0 hw:errno
snprintf        w0[1] r2 r3+ fmt2 hr:locale hw:errno
vsnprintf       w0 r2 R3 fmt2 hr:locale
printf          r0+ fmt0 h:stdout
__printf_chk    r0+ fmt0 h:stdout
strtol          r0 s1<0 hr:locale hw:errno
strtol_l        r0 R3 hw:errno
wcstol          r0 s1<0 hr:locale hw:errno
open            r0 h:fd opens=fd
open64          r0 h:fd
END
cat >expected <<'END'
__printf_chk and printf: __printf_chk:fmt0
fgets_unlocked and fgets: fgets:hr:locale
open64 and open: open:opens=fd
strtol_l and strtol: strtol:s1<0
vsnprintf and snprintf: snprintf:hw:errno
END
siblings bad.tab >got
equal "what one form lacks" "$(cat expected)" "$(cat got)"
expect "a table that is not there" 2 'none.tab: cannot be read' siblings none.tab
finish
