/* SPDX-License-Identifier: BSD-3-Clause
 * uthash with tables that begin small: for those that each of thousands of ranks has, and that mostly hold a few
 * entries. They grow as always. */
#ifndef CS_SMALL_HASH_H
#define CS_SMALL_HASH_H

#include <uthash.h>

#undef HASH_INITIAL_NUM_BUCKETS
#undef HASH_INITIAL_NUM_BUCKETS_LOG2
#define HASH_INITIAL_NUM_BUCKETS 4U
#define HASH_INITIAL_NUM_BUCKETS_LOG2 2U

#endif
