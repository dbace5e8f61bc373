/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Pack_external, _size and MPI_Unpack_external: the "external32" representation of MPI 3.1, section 13.5.2. Packed
 * data is turned into it basic element by basic element. The sizes that differ from the machine's are MPICH's: 4 bytes
 * for a long, binary128 for a long double. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/errors/error.h"
#include "emulate/types/buffer_check.h"
#include "emulate/types/type_internal.h"
#include "emulate/world/entry.h"

/* How a basic type goes to external32: bytes reversed, widened or narrowed as an integer, or from the x87's format. */
enum how { SWAP, SIGNED, UNSIGNED, X87 };

/* A basic type is n numbers of `native` bytes each, which are `external` bytes there. */
struct number {
    enum how how;
    int n, native, external;
};

static struct number number_of(const struct cs_emu_type *t)
{
    int size = (int)t->size;

    switch (t->handle) {
    case MPI_LONG: return (struct number){SIGNED, 1, 8, 4};
    case MPI_UNSIGNED_LONG: return (struct number){UNSIGNED, 1, 8, 4};
    case MPI_WCHAR: return (struct number){UNSIGNED, 1, 4, 2};
    case MPI_LONG_DOUBLE: return (struct number){X87, 1, 16, 16};
    case MPI_C_LONG_DOUBLE_COMPLEX:
    case MPI_CXX_LONG_DOUBLE_COMPLEX: return (struct number){X87, 2, 16, 16};
    case MPI_COMPLEX:
    case MPI_DOUBLE_COMPLEX:
    case MPI_COMPLEX8:
    case MPI_COMPLEX16:
    case MPI_COMPLEX32:
    case MPI_C_FLOAT_COMPLEX:
    case MPI_C_DOUBLE_COMPLEX:
    case MPI_CXX_FLOAT_COMPLEX:
    case MPI_CXX_DOUBLE_COMPLEX:
    case MPI_2INT:
    case MPI_2INTEGER:
    case MPI_2REAL:
    case MPI_2DOUBLE_PRECISION: return (struct number){SWAP, 2, size / 2, size / 2};
    default: return (struct number){SWAP, 1, size, size};
    }
}

/* The structures {value, int} are two numbers of different kinds; false if t is none of them. */
static bool is_pair(const struct cs_emu_type *t, MPI_Datatype *value)
{
    switch (t->handle) {
    case MPI_FLOAT_INT: *value = MPI_FLOAT; return true;
    case MPI_DOUBLE_INT: *value = MPI_DOUBLE; return true;
    case MPI_LONG_INT: *value = MPI_LONG; return true;
    case MPI_SHORT_INT: *value = MPI_SHORT; return true;
    case MPI_LONG_DOUBLE_INT: *value = MPI_LONG_DOUBLE; return true;
    default: return false;
    }
}

static void reverse(unsigned char *to, const unsigned char *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[n - 1 - i];
}

static void convert_out(const struct number *k, unsigned char *to, const unsigned char *from)
{
    if (k->how == X87) {
        long double value;
        __float128 wide;
        memcpy(&value, from, sizeof value);
        wide = value;
        reverse(to, (const unsigned char *)&wide, 16);
    } else {
        reverse(to, from, k->external); /* the low bytes, which come first here */
    }
}

static void convert_in(const struct number *k, unsigned char *to, const unsigned char *from)
{
    if (k->how == X87) {
        unsigned char bytes[16];
        __float128 wide;
        long double value;
        reverse(bytes, from, 16);
        memcpy(&wide, bytes, sizeof wide);
        value = (long double)wide;
        memcpy(to, &value, 10);
        memset(to + 10, 0, 6);
    } else {
        reverse(to, from, k->external);
        memset(to + k->external, k->how == SIGNED && from[0] & 0x80 ? 0xff : 0, (size_t)(k->native - k->external));
    }
}

/* Bytes of n elements in external32. */
static int64_t external_bytes(const struct cs_emu_type *t, int64_t n)
{
    MPI_Datatype value;
    struct number k;
    int64_t bytes = 0;

    for (int i = 0; i < t->nparts; i++)
        bytes += external_bytes(t->parts[i].type, t->parts[i].n);
    if (t->nparts == 0 && is_pair(t, &value)) {
        bytes = external_bytes(cs_emu_type_of(value), 1) + 4;
    } else if (t->nparts == 0 && t->size > 0) {
        k = number_of(t);
        bytes = (int64_t)k.n * k.external;
    }
    return n * bytes;
}

/* Two places that a conversion walks along: packed data of this machine, and external32. */
struct walk {
    unsigned char *native, *external;
    bool out;
};

static void convert_number(struct walk *w, const struct number *k)
{
    if (w->out)
        convert_out(k, w->external, w->native);
    else
        convert_in(k, w->native, w->external);
    w->native += k->native;
    w->external += k->external;
}

static void convert(struct walk *w, const struct cs_emu_type *t, int64_t n)
{
    static const struct number an_int = {SWAP, 1, 4, 4};
    MPI_Datatype value;

    for (; n > 0; n--) {
        for (int i = 0; i < t->nparts; i++)
            convert(w, t->parts[i].type, t->parts[i].n);
        if (t->nparts > 0 || t->size == 0)
            continue;
        if (is_pair(t, &value)) {
            convert(w, cs_emu_type_of(value), 1);
            convert_number(w, &an_int);
            continue;
        }
        struct number k = number_of(t);
        for (int i = 0; i < k.n; i++)
            convert_number(w, &k);
    }
}

static int check(const void *name, const void *buf, int64_t count, MPI_Datatype t, const void *result)
{
    int class = cs_emu_check_buffer(buf, count, t);

    return class == MPI_SUCCESS && (!name || !result) ? MPI_ERR_ARG : class;
}

static int pack_size(const char datarep[], int64_t incount, MPI_Datatype datatype, MPI_Aint *size, const char *call)
{
    int class = check(datarep, datarep, incount, datatype, size);

    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, call);
    *size = external_bytes(cs_emu_type_of(datatype), incount);
    return MPI_SUCCESS;
}

static int pack(const char datarep[], const void *inbuf, int64_t incount, MPI_Datatype datatype, void *outbuf,
                MPI_Aint outsize, MPI_Aint *position, const char *call)
{
    int class = check(datarep, inbuf, incount, datatype, position);
    struct cs_emu_type *t = cs_emu_type_of(datatype);
    unsigned char *packed = NULL;
    int64_t bytes = 0;

    if (class == MPI_SUCCESS) {
        bytes = external_bytes(t, incount);
        if (*position < 0 || bytes > outsize - *position || (bytes > 0 && !outbuf))
            class = MPI_ERR_ARG;
    }
    if (class == MPI_SUCCESS && !(packed = malloc((size_t)(incount * t->size) + 1)))
        class = MPI_ERR_NO_MEM;
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, call);
    cs_emu_pack(packed, inbuf, incount, datatype);
    convert(&(struct walk){packed, (unsigned char *)outbuf + *position, true}, t, incount);
    *position += bytes;
    free(packed);
    return MPI_SUCCESS;
}

static int unpack(const char datarep[], const void *inbuf, MPI_Aint insize, MPI_Aint *position, void *outbuf,
                  int64_t outcount, MPI_Datatype datatype, const char *call)
{
    int class = check(datarep, outbuf, outcount, datatype, position);
    struct cs_emu_type *t = cs_emu_type_of(datatype);
    unsigned char *packed = NULL;
    int64_t bytes = 0;

    if (class == MPI_SUCCESS) {
        bytes = external_bytes(t, outcount);
        if (*position < 0 || bytes > insize - *position || (bytes > 0 && !inbuf))
            class = MPI_ERR_ARG;
    }
    if (class == MPI_SUCCESS && !(packed = malloc((size_t)(outcount * t->size) + 1)))
        class = MPI_ERR_NO_MEM;
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, call);
    convert(&(struct walk){packed, (unsigned char *)inbuf + *position, false}, t, outcount);
    cs_emu_unpack(outbuf, outcount, datatype, packed, outcount * t->size);
    *position += bytes;
    free(packed);
    return MPI_SUCCESS;
}

/* Each call is there with int and with large counts; what is of type MPI_Aint in one is of type MPI_Count in the other.
 */
_Static_assert(sizeof(MPI_Aint) == sizeof(MPI_Count), "positions of another size");
#define FORMS(suffix, COUNT, SIZE) \
    CS_EMU_CALL(int, Pack_external_size##suffix, \
                (const char datarep[], COUNT incount, MPI_Datatype datatype, SIZE *size)) \
    { \
        return pack_size(datarep, incount, datatype, (MPI_Aint *)size, "MPI_Pack_external_size" #suffix); \
    } \
    CS_EMU_CALL(int, Pack_external##suffix, \
                (const char datarep[], const void *inbuf, COUNT incount, MPI_Datatype datatype, void *outbuf, \
                 SIZE outsize, SIZE *position)) \
    { \
        return pack(datarep, inbuf, incount, datatype, outbuf, outsize, (MPI_Aint *)position, \
                    "MPI_Pack_external" #suffix); \
    } \
    CS_EMU_CALL(int, Unpack_external##suffix, \
                (const char datarep[], const void *inbuf, SIZE insize, SIZE *position, void *outbuf, COUNT outcount, \
                 MPI_Datatype datatype)) \
    { \
        return unpack(datarep, inbuf, insize, (MPI_Aint *)position, outbuf, outcount, datatype, \
                      "MPI_Unpack_external" #suffix); \
    }

FORMS(, int, MPI_Aint)
FORMS(_c, MPI_Count, MPI_Count)
