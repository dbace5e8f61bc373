/* SPDX-License-Identifier: BSD-3-Clause
 * What a machine is, as text that people may correct: found by looking, and read again. */
#ifndef CS_MACHINE_TEXT_H
#define CS_MACHINE_TEXT_H

/* What a plan asks of a description; 0: it does not say. */
struct cs_machine {
    long cores;
    double memory; /* bytes */
};

/* Prints what this machine is: name, cores, clock, caches, memory, network cards, system. What the system does not tell
 * is a comment. */
void cs_machine_print(void);
/* Reads such a file. 0, or CS_EXIT_ERROR after a message. */
int cs_machine_read(struct cs_machine *m, const char *path);

#endif
