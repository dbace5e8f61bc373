/* SPDX-License-Identifier: GPL-3.0-or-later
 * Test only: many faulty slices out of one link, each in a process of its own that is forked once the slicer has
 * decided. Reading the program and deciding is most of a link, and the same for all of them. */
#ifndef CS_MUTANTS_H
#define CS_MUTANTS_H

/* One line of the list: what is to be left out, and what stands there. */
struct cs_mutant {
    int stmt, mark; /* numbers of slicer/test_drop.h, -1 */
    int gone_values;
    bool poison, trap; /* as in struct cs_faults */
};

/* Forks a process for each line `stmt|mark|none NUMBER GONE_VALUES LEFT` of the file, one after the other. Each goes on
 * from here with *m set, (LEFT: 1 poison, 2 trap, 0 neither), its assembly in LIST.d/KIND.NUMBER.GONE_VALUES.LEFT.s and
 * its messages in a file `.err` beside it. True in such a process; false in the first process, when all of them are
 * done. */
bool cs_mutants_fork(const char *list, struct cs_mutant *m);

#endif
