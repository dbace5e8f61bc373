/* SPDX-License-Identifier: BSD-3-Clause
 * The program that measures a network, in C with MPI. It prints lines that cs_measured_line reads. */
#ifndef CS_CALIBRATE_PROGRAM_H
#define CS_CALIBRATE_PROGRAM_H

extern const char cs_calibrate_program[];

/* What it begins with. */
#define CS_CALIBRATE_BEGINS "/* Written by commslice calibrate"

#endif
