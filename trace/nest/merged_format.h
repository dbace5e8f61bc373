/* SPDX-License-Identifier: BSD-3-Clause
 * The bytes of the merged form's file, as docs/reference/merged-format.md specifies them. Shared by its writer and its
 * reader. */
#ifndef CS_MERGED_FORMAT_H
#define CS_MERGED_FORMAT_H

#define CS_MERGED_MAGIC "CSMERGE2" /* the last character is the format version */
#define CS_MERGED_MAGIC_LEN 8
#define CS_MERGED_HEADER_LEN \
    40 /* magic, raw length, stored length, checksum of what is stored, checksum of the header so far */

/* Limits that the reader enforces. */
#define CS_MERGED_MAX_BODY ((uint64_t)1 << 34)   /* bytes, uncompressed */
#define CS_MERGED_MAX_TABLES ((uint64_t)1 << 28) /* entries of all tables of values together */
#define CS_MERGED_MAX_SHIFT (1 << 20)
#define CS_MERGED_MAX_DEPTH 64 /* of the nest */
#define CS_MERGED_MAX_COEFFICIENT ((int64_t)1 << 32)

/* What the file has beyond calls; bits of its first number. */
enum { CS_MERGED_FOLDED = 1, CS_MERGED_TIMES = 2, CS_MERGED_GAPS = 4, CS_MERGED_COUNTS = 8, CS_MERGED_UNRECORDED = 16 };

#endif
