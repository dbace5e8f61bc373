/* SPDX-License-Identifier: GPL-3.0-or-later
 * The numbers of MPICH's interface that the slicer meets in a program: a handle there is an int, of which the upper
 * byte says what it stands for. They are part of MPICH's ABI and the same in all its versions and derivatives.
 *
 *     predefined datatype:      | 0x4c | 0 | size in bytes | number |
 *     pair of unequal members:  | 0x8c | 0 | 0             | number | */
#ifndef CS_MPICH_ABI_H
#define CS_MPICH_ABI_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define CS_MPICH_COMM_NULL 0x04000000
#define CS_MPICH_COMM_WORLD 0x44000000
#define CS_MPICH_REQUEST_NULL 0x2c000000
#define CS_MPICH_ERRORS_ARE_FATAL 0x54000000
#define CS_MPICH_PACKED 0x4c00010f
#define CS_MPICH_ANY_SOURCE (-2)
#define CS_MPICH_ANY_TAG (-1)
#define CS_MPICH_THREAD_MULTIPLE 3

/* Bits of the mode of MPI_File_open. */
enum {
    CS_MPICH_MODE_CREATE = 1,
    CS_MPICH_MODE_RDONLY = 2,
    CS_MPICH_MODE_WRONLY = 4,
    CS_MPICH_MODE_DELETE_ON_CLOSE = 16
};

/* In bytes. */
enum { CS_MPICH_HANDLE_SIZE = 4, CS_MPICH_STATUS_SIZE = 20 };

#define CS_MPICH_KIND(handle) ((handle)&0xff000000)
#define CS_MPICH_KIND_BASIC_TYPE 0x4c000000
#define CS_MPICH_KIND_PAIR_TYPE 0x8c000000
#define CS_MPICH_KIND_NULL_TYPE 0x0c000000

/* A predefined datatype whose handle carries its size. */
static inline bool cs_mpich_is_basic(int64_t type)
{
    return CS_MPICH_KIND(type) == CS_MPICH_KIND_BASIC_TYPE;
}

/* Bytes of one element of a basic datatype. */
static inline int64_t cs_mpich_basic_size(int64_t type)
{
    return type >> 8 & 0xff;
}

/* A predefined datatype; none of them has data before where it begins. */
static inline bool cs_mpich_is_predefined(int64_t type)
{
    return cs_mpich_is_basic(type) || CS_MPICH_KIND(type) == CS_MPICH_KIND_PAIR_TYPE;
}

/* MPI_2INT, MPI_2INTEGER, MPI_2REAL, MPI_2DOUBLE_PRECISION and MPICH's pairs of complex numbers: basic datatypes that
 * are two elements of another one. */
static inline bool cs_mpich_is_double(int64_t type)
{
    int n = (int)(type & 0xff);
    return n == 0x16 || (n >= 0x20 && n <= 0x25 && n != 0x22);
}

/* A basic datatype of real or complex numbers, of C, C++ or Fortran: not of whole or logical ones, nor of characters or
 * bytes. */
static inline bool cs_mpich_is_real(int64_t type)
{
    /* float, double, long double, _Float16; complex ones of C and of C++; Fortran's REAL, then COMPLEX */
    static const uint8_t numbers[] = {0x0a, 0x0b, 0x0c, 0x46, 0x40, 0x41, 0x42, 0x34, 0x35, 0x36,
                                      0x1c, 0x1f, 0x27, 0x29, 0x2b, 0x1e, 0x22, 0x28, 0x2a, 0x2c};
    return cs_mpich_is_basic(type) && memchr(numbers, (int)(type & 0xff), sizeof numbers);
}

/* Does what the operation leaves in one half of an element depend on the other half? MPI_MAXLOC and MPI_MINLOC do that
 * to pairs, and MPI_PROD to complex numbers. `plain`: the elements are known to be neither. */
static inline bool cs_mpich_mixes_halves(int64_t op, bool plain)
{
    enum { PROD = 0x58000004, MINLOC = 0x5800000b, MAXLOC = 0x5800000c };
    return !plain && (op == PROD || op == MINLOC || op == MAXLOC);
}

/* A basic datatype of one number that is not complex. */
static inline bool cs_mpich_is_plain(int64_t type)
{
    static const uint8_t complex[] = {0x40, 0x41, 0x42, 0x34, 0x35, 0x36, 0x1e, 0x22, 0x28, 0x2a, 0x2c};
    return cs_mpich_is_basic(type) && !cs_mpich_is_double(type) && !memchr(complex, (int)(type & 0xff), sizeof complex);
}

#endif
