/* SPDX-License-Identifier: BSD-3-Clause
 * The one growable array: a pointer, how many of its places are used, and how many there are.
 *
 *     struct thing *a = NULL; int n = 0, cap = 0;
 *     if (!CS_MAKE_ROOM(a, n, cap)) return -1;   (memory is out; a and cap are as they were)
 *     a[n++] = t;
 *
 * Room doubles, so that n appends cost O(n). The counts may be of any integer type of 4 or 8 bytes. Nothing here is
 * freed when memory is out: the array is the caller's as it was. */
#ifndef CS_GROW_H
#define CS_GROW_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Gives the array, the address of whose pointer is `array`, this many bytes. The pointer is copied byte by byte,
 * because a pointer of another type may not be read as void *. */
static inline bool cs_resize(void *array, size_t bytes)
{
    void *old, *resized;
    memcpy(&old, array, sizeof old);
    resized = realloc(old, bytes);
    if (!resized)
        return false;
    memcpy(array, &resized, sizeof resized);
    return true;
}

/* What the macros below call: makes room for `need` elements of `size` bytes. `array` is the address of the pointer,
 * and `cap` that of the count of places, which has cap_size bytes. */
static inline bool cs_make_room(void *array, size_t size, void *cap, size_t cap_size, size_t need)
{
    uint32_t cap32 = 0;
    uint64_t cap64 = 0;
    assert(cap_size == sizeof cap32 || cap_size == sizeof cap64);
    assert(size > 0);
    memcpy(cap_size == sizeof cap32 ? (void *)&cap32 : (void *)&cap64, cap, cap_size);
    uint64_t places = cap_size == sizeof cap32 ? cap32 : cap64, wanted = places ? 2 * places : 8;
    if (wanted < need)
        wanted = need;
    assert(wanted > places);
    if (wanted > SIZE_MAX / size || (cap_size == sizeof cap32 && wanted > INT32_MAX))
        return false;
    if (!cs_resize(array, (size_t)wanted * size))
        return false;
    cap32 = (uint32_t)wanted;
    cap64 = wanted;
    memcpy(cap, cap_size == sizeof cap32 ? (void *)&cap32 : (void *)&cap64, cap_size);
    return true;
}

/* Makes room for `need` elements in all, or for one more than n. False when memory is out. */
#define CS_MAKE_ROOM_FOR(a, need, cap) \
    ((size_t)(need) <= (size_t)(cap) || \
     cs_make_room((void *)&(a), sizeof *(a), (void *)&(cap), sizeof(cap), (size_t)(need)))
#define CS_MAKE_ROOM(a, n, cap) CS_MAKE_ROOM_FOR(a, (size_t)(n) + 1, cap)

/* The same for an array that keeps no count of its places, as thousands of them are held at a time: it has the least
 * power of two that is n or more, so it may grow by one at a time only, and from nothing. Places are not zeroed. */
static inline bool cs_one_more(void *array, size_t size, size_t n)
{
    size_t places = n ? 2 * n : 1;
    return (n & (n - 1)) != 0 || (places <= SIZE_MAX / size && cs_resize(array, places * size));
}
#define CS_ONE_MORE(a, n) cs_one_more((void *)&(a), sizeof *(a), (size_t)(n))

#endif
