/* SPDX-License-Identifier: BSD-3-Clause
 * Kinds of files that we write, each known by its first bytes, so that no file of somebody else's is replaced. */
#ifndef CS_FILE_KIND_H
#define CS_FILE_KIND_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One kind. Both texts are constants; `begins` may hold zeros. */
struct cs_file_kind {
    const char *name;   /* with its article, for messages: "a trace" */
    const char *begins; /* the first bytes of every such file */
    size_t n;           /* how many they are */
};

/* May the file at `path` be replaced by one of this kind? It may if it is not there, is empty, or begins as the kind
 * does, be it cut short. What is no regular file may not. */
bool cs_may_replace(const char *path, const struct cs_file_kind *kind);

#ifdef __cplusplus
}
#endif
#endif
