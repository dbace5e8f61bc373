/* SPDX-License-Identifier: BSD-3-Clause
 * Puts a process back to how it was at one moment, as if it had just been forked then: its memory, signal actions,
 * open files, registers. What else a program can change (put_back_imports.h) is not put back. */
#ifndef CS_PUT_BACK_H
#define CS_PUT_BACK_H

/* Marks the moment. Returns 0 now, and again each time that cs_emu_put_back() has led back to here, then with the value
 * that this was given; -1: it cannot be done (memory, descriptors), and nothing has changed. One thread. */
int cs_emu_put_back_mark(void);

/* Leads the process back to the mark: `next` is called when all is as it was, on a stack of its own, with all signals
 * blocked, and gives what the mark returns then. It must not keep anything in private memory. Does not return, but if
 * the process cannot be put back ends it with exit status 0, after calling `cannot`. */
_Noreturn void cs_emu_put_back(int (*next)(void), void (*cannot)(void));

#endif
