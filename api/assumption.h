/* SPDX-License-Identifier: BSD-3-Clause
 * The name of an assumption that both the slicer, which makes it, and the recorder, which checks it, must know. */
#ifndef CS_ASSUMPTION_H
#define CS_ASSUMPTION_H

/* It is about no line: no rank reads what the program wrote to files. */
#define CS_NO_READ_BACK "no-read-back"

#endif
