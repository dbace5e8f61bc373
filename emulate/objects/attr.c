/* SPDX-License-Identifier: BSD-3-Clause
 * Keyvals and the lists of attributes. Callbacks run through a proxy, which MPICH's Fortran library sets for its own
 * (MPII_Keyval_set_proxy). The calls that set and get attributes are with the objects that have them. */
#include "emulate/objects/attr.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "emulate/world/handles.h"

/* A keyval is a handle of one table, whatever it is for, with the kind of object (enum cs_emu_keyed) from bit 22 on. */
#define OBJECT_SHIFT 22
#define OBJECT_BITS (0xf << OBJECT_SHIFT)

static struct cs_emu_table handles = CS_EMU_TABLE(CS_EMU_KEYVAL, 0);

static int copy_for_c(cs_emu_copy_function *function, int handle, int keyval, void *extra, int kind, void *value,
                      void **copy, int *flag)
{
    void *given = kind == CS_EMU_ATTR_POINTER ? value : (void *)&value;

    return function(handle, keyval, extra, given, copy, flag);
}

static int delete_for_c(cs_emu_delete_function *function, int handle, int keyval, int kind, void *value, void *extra)
{
    return function(handle, keyval, kind == CS_EMU_ATTR_POINTER ? value : (void *)&value, extra);
}

struct cs_emu_keyval *cs_emu_keyval_of(int keyval, enum cs_emu_keyed of)
{
    struct cs_emu_keyval *k;

    if ((keyval & OBJECT_BITS) >> OBJECT_SHIFT != (int)of)
        return NULL;
    k = cs_emu_handle_get(&handles, keyval & ~OBJECT_BITS);
    return k && k->handle == keyval ? k : NULL;
}

int cs_emu_keyval_new(enum cs_emu_keyed of, cs_emu_copy_function *copy, cs_emu_delete_function *delete, void *extra,
                      int *keyval)
{
    struct cs_emu_keyval *k = malloc(sizeof *k);
    int handle = k ? cs_emu_handle_new(&handles, k) : 0;

    if (!handle) {
        free(k);
        return MPI_ERR_OTHER;
    }
    *k = (struct cs_emu_keyval){.handle = handle | (int)of << OBJECT_SHIFT,
                                .refs = 1,
                                .copy = copy,
                                .delete = delete,
                                .extra = extra,
                                .copy_proxy = copy_for_c,
                                .delete_proxy = delete_for_c};
    *keyval = k->handle;
    return MPI_SUCCESS;
}

static void release(struct cs_emu_keyval *k)
{
    assert(k->refs > 0);
    if (--k->refs > 0)
        return;
    cs_emu_handle_drop(&handles, k->handle & ~OBJECT_BITS);
    free(k);
}

void cs_emu_keyval_free(struct cs_emu_keyval *k)
{
    if (k->freed)
        return;
    k->freed = true;
    release(k);
}

void cs_emu_keyval_set_proxy(int keyval, cs_emu_copy_proxy *copy, cs_emu_delete_proxy *delete)
{
    struct cs_emu_keyval *k = cs_emu_handle_get(&handles, keyval & ~OBJECT_BITS);

    if (k) {
        k->copy_proxy = copy;
        k->delete_proxy = delete;
    }
}

static int call_delete(int handle, struct cs_emu_attr *a)
{
    struct cs_emu_keyval *k = a->keyval;

    return k->delete ? k->delete_proxy(k->delete, handle, k->handle, a->kind, a->value, k->extra) : MPI_SUCCESS;
}

/* Takes the first attribute of the list off it. */
static int delete_first(int handle, struct cs_emu_attr **list)
{
    struct cs_emu_attr *a = *list;
    assert(a && a->keyval->refs > 0);
    int code = call_delete(handle, a);

    if (code != MPI_SUCCESS)
        return code;
    *list = a->next;
    release(a->keyval);
    free(a);
    return MPI_SUCCESS;
}

int cs_emu_attrs_delete(int handle, struct cs_emu_attr **list)
{
    int code = MPI_SUCCESS;

    while (*list && code == MPI_SUCCESS)
        code = delete_first(handle, list);
    return code;
}

static struct cs_emu_attr **find(struct cs_emu_attr **list, const struct cs_emu_keyval *k)
{
    while (*list && (*list)->keyval != k)
        list = &(*list)->next;
    return list;
}

int cs_emu_attr_delete(int handle, struct cs_emu_attr **list, struct cs_emu_keyval *k)
{
    struct cs_emu_attr **at = find(list, k);

    return *at ? delete_first(handle, at) : MPI_SUCCESS;
}

/* A new attribute at the place `at` of a list. */
static int insert(struct cs_emu_attr **at, struct cs_emu_keyval *k, void *value, int kind)
{
    struct cs_emu_attr *a = malloc(sizeof *a);

    if (!a)
        return MPI_ERR_OTHER;
    *a = (struct cs_emu_attr){.keyval = k, .value = value, .kind = kind, .next = *at};
    k->refs++;
    *at = a;
    return MPI_SUCCESS;
}

int cs_emu_attr_set(int handle, struct cs_emu_attr **list, struct cs_emu_keyval *k, void *value, int kind)
{
    struct cs_emu_attr *a = *find(list, k);
    int code;

    if (!a)
        return insert(list, k, value, kind);
    code = call_delete(handle, a);
    if (code != MPI_SUCCESS)
        return code;
    a->value = value;
    a->kind = kind;
    return MPI_SUCCESS;
}

bool cs_emu_attr_get(struct cs_emu_attr **list, const struct cs_emu_keyval *k, void *value, int kind)
{
    struct cs_emu_attr *a = *find(list, k);

    if (!a)
        return false;
    /* C sees an integer that Fortran has set as a pointer to it. */
    *(void **)value = kind == CS_EMU_ATTR_POINTER && a->kind != CS_EMU_ATTR_POINTER ? (void *)&a->value : a->value;
    return true;
}

static int copy_one(int handle, const struct cs_emu_attr *a, struct cs_emu_attr ***end)
{
    struct cs_emu_keyval *k = a->keyval;
    void *value = NULL;
    int flag = 0, code;

    if (!k->copy)
        return MPI_SUCCESS;
    code = k->copy_proxy(k->copy, handle, k->handle, k->extra, a->kind, a->value, &value, &flag);
    if (code != MPI_SUCCESS || !flag)
        return code;
    code = insert(*end, k, value, a->kind);
    if (code == MPI_SUCCESS)
        *end = &(**end)->next;
    return code;
}

int cs_emu_attrs_copy(int handle, const struct cs_emu_attr *from, struct cs_emu_attr **to)
{
    struct cs_emu_attr **end = to;
    int code = MPI_SUCCESS;

    *to = NULL;
    for (; from && code == MPI_SUCCESS; from = from->next)
        code = copy_one(handle, from, &end);
    if (code != MPI_SUCCESS)
        cs_emu_attrs_delete(handle, to);
    return code;
}
