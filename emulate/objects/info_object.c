/* SPDX-License-Identifier: BSD-3-Clause
 * Info objects and MPI's calls on them.
 * They are small: a key is found by looking at one after the other. */
#include "emulate/objects/info_object.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "emulate/errors/error.h"
#include "emulate/world/entry.h"
#include "emulate/world/handles.h"

/* A key and its value, both malloced. */
struct pair {
    char *key, *value;
};

/* The pairs in the order in which their keys were set first; no key is there twice. */
struct info {
    int n, cap;
    struct pair *pairs;
};

static struct cs_emu_table handles = CS_EMU_TABLE(CS_EMU_INFO, 0);
static struct info environment; /* MPI_INFO_ENV: nothing was asked for */

static struct info *info_of(MPI_Info info)
{
    return info == MPI_INFO_ENV ? &environment : cs_emu_handle_get(&handles, info);
}

/* The error for what is no info object. */
static int no_info(MPI_Info info)
{
    return info == MPI_INFO_NULL ? MPI_ERR_ARG : MPI_ERR_INFO;
}

bool cs_emu_info_valid(MPI_Info info)
{
    return info == MPI_INFO_NULL || info_of(info);
}

MPI_Info cs_emu_info_new(void)
{
    struct info *i = calloc(1, sizeof *i);
    MPI_Info handle = i ? cs_emu_handle_new(&handles, i) : 0;

    if (!handle)
        free(i);
    return handle ? handle : MPI_INFO_NULL;
}

void cs_emu_info_free(MPI_Info info)
{
    struct info *i = cs_emu_handle_get(&handles, info);

    if (!i)
        return;
    for (int k = 0; k < i->n; k++) {
        free(i->pairs[k].key);
        free(i->pairs[k].value);
    }
    free(i->pairs);
    free(i);
    cs_emu_handle_drop(&handles, info);
}

static int find(const struct info *i, const char *key)
{
    for (int k = 0; k < i->n; k++)
        if (strcmp(i->pairs[k].key, key) == 0)
            return k;
    return -1;
}

const char *cs_emu_info_find(MPI_Info info, const char *key)
{
    struct info *i = info_of(info);
    int k = i ? find(i, key) : -1;

    return k < 0 ? NULL : i->pairs[k].value;
}

static int append(struct info *i, const char *key, const char *value)
{
    struct pair p = {strdup(key), strdup(value)};

    assert(find(i, key) < 0);
    if (!p.key || !p.value || !CS_MAKE_ROOM(i->pairs, i->n, i->cap)) {
        free(p.key);
        free(p.value);
        return -1;
    }
    i->pairs[i->n++] = p;
    return 0;
}

/* 0, or -1 when memory is out. */
static int set(struct info *i, const char *key, const char *value)
{
    int k = find(i, key);
    char *copy;

    if (k < 0)
        return append(i, key, value);
    copy = strdup(value);
    if (!copy)
        return -1;
    free(i->pairs[k].value);
    i->pairs[k].value = copy;
    return 0;
}

bool cs_emu_info_set(MPI_Info info, const char *key, const char *value)
{
    struct info *i = info_of(info);

    assert(i && i != &environment);
    return set(i, key, value) == 0;
}

MPI_Info cs_emu_info_dup(MPI_Info info)
{
    struct info *from = info_of(info);
    MPI_Info copy = from ? cs_emu_info_new() : MPI_INFO_NULL;

    for (int k = 0; copy != MPI_INFO_NULL && k < from->n; k++) {
        if (append(info_of(copy), from->pairs[k].key, from->pairs[k].value) != 0) {
            cs_emu_info_free(copy);
            copy = MPI_INFO_NULL;
        }
    }
    return copy;
}

static int check_key(const char *key)
{
    return key && *key && strlen(key) <= MPI_MAX_INFO_KEY ? MPI_SUCCESS : MPI_ERR_INFO_KEY;
}

CS_EMU_CALL(int, Info_create, (MPI_Info * info))
{
    if (!info)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Info_create");
    *info = cs_emu_info_new();
    return *info == MPI_INFO_NULL ? cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Info_create") : MPI_SUCCESS;
}

/* What MPI_INFO_ENV is: empty, as with MPICH. */
CS_EMU_CALL(int, Info_create_env, (int argc, char **argv, MPI_Info *info))
{
    (void)argc;
    (void)argv;
    if (!info)
        return cs_emu_error(NULL, MPI_ERR_ARG, "MPI_Info_create_env");
    *info = cs_emu_info_dup(MPI_INFO_ENV);
    return *info == MPI_INFO_NULL ? cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Info_create_env") : MPI_SUCCESS;
}

CS_EMU_CALL(int, Info_free, (MPI_Info * info))
{
    if (!info || !cs_emu_handle_get(&handles, *info))
        return cs_emu_error(NULL, info ? no_info(*info) : MPI_ERR_ARG, "MPI_Info_free");
    cs_emu_info_free(*info);
    *info = MPI_INFO_NULL;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Info_dup, (MPI_Info info, MPI_Info *newinfo))
{
    if (!info_of(info) || !newinfo)
        return cs_emu_error(NULL, newinfo ? no_info(info) : MPI_ERR_ARG, "MPI_Info_dup");
    *newinfo = cs_emu_info_dup(info);
    return *newinfo == MPI_INFO_NULL ? cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Info_dup") : MPI_SUCCESS;
}

CS_EMU_CALL(int, Info_set, (MPI_Info info, const char *key, const char *value))
{
    struct info *i = info_of(info);

    if (!i)
        return cs_emu_error(NULL, no_info(info), "MPI_Info_set");
    if (check_key(key) != MPI_SUCCESS)
        return cs_emu_error(NULL, MPI_ERR_INFO_KEY, "MPI_Info_set");
    if (!value || strlen(value) > MPI_MAX_INFO_VAL)
        return cs_emu_error(NULL, MPI_ERR_INFO_VALUE, "MPI_Info_set");
    return set(i, key, value) == 0 ? MPI_SUCCESS : cs_emu_error(NULL, MPI_ERR_OTHER, "MPI_Info_set");
}

CS_EMU_CALL(int, Info_delete, (MPI_Info info, const char *key))
{
    struct info *i = info_of(info);
    int k;

    if (!i)
        return cs_emu_error(NULL, no_info(info), "MPI_Info_delete");
    if (check_key(key) != MPI_SUCCESS)
        return cs_emu_error(NULL, MPI_ERR_INFO_KEY, "MPI_Info_delete");
    k = find(i, key);
    if (k < 0)
        return cs_emu_error(NULL, MPI_ERR_INFO_NOKEY, "MPI_Info_delete");
    free(i->pairs[k].key);
    free(i->pairs[k].value);
    memmove(&i->pairs[k], &i->pairs[k + 1], (size_t)(--i->n - k) * sizeof *i->pairs);
    return MPI_SUCCESS;
}

/* What Info_get and its kin have to check. */
static int check(MPI_Info info, const char *key, const void *flag)
{
    if (!info_of(info))
        return no_info(info);
    return flag ? check_key(key) : MPI_ERR_ARG;
}

CS_EMU_CALL(int, Info_get, (MPI_Info info, const char *key, int valuelen, char *value, int *flag))
{
    int class = check(info, key, flag);
    const char *found;

    if (class == MPI_SUCCESS && valuelen < 0)
        class = MPI_ERR_ARG;
    if (class == MPI_SUCCESS && !value)
        class = MPI_ERR_INFO_VALUE;
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Info_get");
    found = cs_emu_info_find(info, key);
    *flag = found != NULL;
    if (found)
        snprintf(value, (size_t)valuelen + 1, "%s", found);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Info_get_string, (MPI_Info info, const char *key, int *buflen, char *value, int *flag))
{
    int class = check(info, key, flag);
    const char *found;

    if (class == MPI_SUCCESS && (!buflen || *buflen < 0 || (*buflen > 0 && !value)))
        class = MPI_ERR_ARG;
    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Info_get_string");
    found = cs_emu_info_find(info, key);
    *flag = found != NULL;
    if (found && *buflen > 0)
        snprintf(value, (size_t)*buflen, "%s", found);
    if (found)
        *buflen = (int)strlen(found) + 1;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Info_get_valuelen, (MPI_Info info, const char *key, int *valuelen, int *flag))
{
    int class = check(info, key, flag && valuelen ? flag : NULL);
    const char *found;

    if (class != MPI_SUCCESS)
        return cs_emu_error(NULL, class, "MPI_Info_get_valuelen");
    found = cs_emu_info_find(info, key);
    *flag = found != NULL;
    if (found)
        *valuelen = (int)strlen(found);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Info_get_nkeys, (MPI_Info info, int *nkeys))
{
    struct info *i = info_of(info);

    if (!i || !nkeys)
        return cs_emu_error(NULL, i ? MPI_ERR_ARG : no_info(info), "MPI_Info_get_nkeys");
    *nkeys = i->n;
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Info_get_nthkey, (MPI_Info info, int n, char *key))
{
    struct info *i = info_of(info);

    if (!i || !key || n < 0 || n >= i->n)
        return cs_emu_error(NULL, i ? MPI_ERR_ARG : no_info(info), "MPI_Info_get_nthkey");
    snprintf(key, MPI_MAX_INFO_KEY + 1, "%s", i->pairs[n].key);
    return MPI_SUCCESS;
}
