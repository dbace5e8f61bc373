/* SPDX-License-Identifier: BSD-3-Clause
 * What this rank did to which files, by device and inode, or by folder and name where there is no such file: when it
 * first wrote and made it, when it last read it and asked whether it is there. */
#ifndef CS_RANK_FILES_H
#define CS_RANK_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

enum { CS_FILE_NAME = 48 }; /* bytes of a name that are kept, with its 0 */

/* A file, or a name that no file has. Times are those of the system's clock in nanoseconds, 0: never. */
struct cs_file_seen {
    uint64_t dev, ino;                /* of a name: the folder's, with the name mixed in */
    int64_t name;                     /* 1: a name without a file */
    int64_t wrote, made, read, asked; /* `made` of a name: when its file went; first times, then last ones */
    int64_t open;                     /* so often open to read now: the reading goes on */
    char text[CS_FILE_NAME];          /* the end of its name, for messages */
};

/* All that was noted, *n of them. Reading that goes on lasts until now. */
const struct cs_file_seen *cs_file_log(int *n);

/* Is anything to be noted? Set before the program runs. */
extern bool cs_file_log_on;

/* The number of the file in the log, or of the name if there is no such file; -1: neither a file nor a pipe, or memory
 * is out. Numbers stay. */
int cs_file_of(const char *path, const struct stat *st);
int cs_file_of_name(int dirfd, const char *path);

/* What happens to file number `file` (-1: nothing) at this moment. */
void cs_file_wrote(int file);
void cs_file_made(int file);
void cs_file_read(int file);
void cs_file_asked(int file);
/* It is open to read from now on, until it is closed (-1). */
void cs_file_open(int file, int by);

#endif
