/* SPDX-License-Identifier: BSD-3-Clause
 * mixed_test.sh: called by table.cpp. It does not throw, which its callers' file cannot know. */
int leaf(int n) { return n * 3 % 7; }
