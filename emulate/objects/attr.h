/* SPDX-License-Identifier: BSD-3-Clause
 * Attributes that a program caches on communicators, types and windows, in the order in which they were set.
 * An object only keeps the head of its list, NULL without attributes. */
#ifndef CS_ATTR_H
#define CS_ATTR_H

struct cs_emu_attr;

/* Runs the copy callbacks of `from` (list of the object `handle`) for a duplicate; *to is its list. Returns MPI_SUCCESS
 * or what a callback returned; *to is then NULL again, its attributes deleted. */
int cs_emu_attrs_copy(int handle, const struct cs_emu_attr *from, struct cs_emu_attr **to);

/* Runs the delete callbacks for an object that goes (Comm_free, Type_free, Comm_disconnect; MPI_COMM_SELF first thing
 * in Finalize), last set first. Returns MPI_SUCCESS or what a callback returned: the object then stays. */
int cs_emu_attrs_delete(int handle, struct cs_emu_attr **list);

#endif
