/* SPDX-License-Identifier: BSD-3-Clause
 * Links of which no object was compiled with the plugin: GCC would make an ordinary program of them without a word. */
#ifndef CS_PLAIN_OBJECTS_H
#define CS_PLAIN_OBJECTS_H

/* The first object or archive of a command line that links nothing but objects and archives without link-time
 * information. NULL for each other one: it compiles or makes a library, or one of its inputs may have such information,
 * or cannot be judged. */
const char *cs_plain_object(int argc, char **argv);

#endif
