/* SPDX-License-Identifier: BSD-3-Clause
 * Suffix array, its inverse and the LCP array of a string of integers, each in linear time.
 * Debian has none for an integer alphabet (libdivsufsort sorts bytes). */
#ifndef CS_SUFFIX_ARRAY_H
#define CS_SUFFIX_ARRAY_H

#include <stdint.h>

/* Symbols of s are 0 to k-1; the end of the string is smaller than all of them. sa[i] becomes the start of the i-th
 * smallest suffix. Nong, Zhang and Chan: Two efficient algorithms for linear time suffix array construction (SA-IS),
 * IEEE Trans. Comput. 60 (2011). O(n + k) time, some 6 bytes a symbol of memory besides s and sa. 0, or -1 with errno
 * ENOMEM. */
int cs_suffix_array(const int32_t *s, int32_t n, int32_t k, int32_t *sa);

/* rank[sa[i]] = i. */
void cs_suffix_rank(const int32_t *sa, int32_t n, int32_t *rank);

/* lcp[i] = length of the longest common prefix of the suffixes sa[i-1] and sa[i]; lcp[0] = 0. Kasai et al., CPM 2001.
 */
void cs_suffix_lcp(const int32_t *s, int32_t n, const int32_t *sa, const int32_t *rank, int32_t *lcp);

#endif
