/* SPDX-License-Identifier: GPL-3.0-or-later
 * Test only: makes many faulty slices in one link. A process is forked for each of them after the slicer has decided,
 * because reading the program and deciding takes most of a link's time and is the same for all of them. */
#ifndef CS_MUTANTS_H
#define CS_MUTANTS_H

/* One line of the list: what is left out of the slice, and what stands in its place. */
struct cs_mutant {
    int stmt, mark;  /* number of what is left out, as in slicer/test_drop.h; -1: none */
    int gone_values; /* this and the next two as in struct cs_faults */
    bool poison, trap;
};

/* Forks a process for each line of the file `list`, one after the other. A line is KIND NUMBER GONE_VALUES LEFT, where
 * KIND is stmt, mark or none, and LEFT is 1 for poison, 2 for trap and 0 for neither. Returns true in each of these
 * processes, with *m set; its assembly goes to LIST.d/KIND.NUMBER.GONE_VALUES.LEFT.s, and its messages go to the file
 * beside it that ends with .err. Returns false in the first process when all of them have ended. */
bool cs_mutants_fork(const char *list, struct cs_mutant *m);

#endif
