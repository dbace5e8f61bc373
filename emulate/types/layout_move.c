/* SPDX-License-Identifier: BSD-3-Clause
 * Packing and unpacking by layouts. Most time goes into loops over short runs (a column of a matrix), so runs of 4, 8
 * and 16 bytes have code of their own, in which the compiler makes one move of each memcpy(). */
#include "emulate/types/layout.h"

#include <string.h>

#define GATHER(bytes) \
    case bytes: \
        for (int64_t i = 0; i < l->count; i++) \
            memcpy(packed + i * (bytes), user + i * l->stride, (bytes)); \
        break
#define SCATTER(bytes) \
    case bytes: \
        for (int64_t i = 0; i < l->count; i++) \
            memcpy(user + i * l->stride, packed + i * (bytes), (bytes)); \
        break

/* Packs a loop over runs; scatter() unpacks it. */
static void gather(const struct cs_emu_layout *l, char *packed, const char *user)
{
    int64_t run = l->child->size;

    switch (run) {
        GATHER(4);
        GATHER(8);
        GATHER(16);
    default:
        for (int64_t i = 0; i < l->count; i++)
            memcpy(packed + i * run, user + i * l->stride, (size_t)run);
    }
}

static void scatter(const struct cs_emu_layout *l, const char *packed, char *user)
{
    int64_t run = l->child->size;

    switch (run) {
        SCATTER(4);
        SCATTER(8);
        SCATTER(16);
    default:
        for (int64_t i = 0; i < l->count; i++)
            memcpy(user + i * l->stride, packed + i * run, (size_t)run);
    }
}

void cs_emu_layout_pack(const struct cs_emu_layout *l, char *packed, const char *user)
{
    if (l->kind == CS_EMU_RUN) {
        memcpy(packed, user, (size_t)l->size);
    } else if (l->kind == CS_EMU_LIST) {
        for (int64_t i = 0; i < l->count; packed += l->entries[i++].layout->size)
            cs_emu_layout_pack(l->entries[i].layout, packed, user + l->entries[i].at);
    } else if (l->child->kind == CS_EMU_RUN) {
        gather(l, packed, user);
    } else {
        for (int64_t i = 0; i < l->count; i++)
            cs_emu_layout_pack(l->child, packed + i * l->child->size, user + i * l->stride);
    }
}

void cs_emu_layout_unpack(const struct cs_emu_layout *l, const char *packed, char *user)
{
    if (l->kind == CS_EMU_RUN) {
        memcpy(user, packed, (size_t)l->size);
    } else if (l->kind == CS_EMU_LIST) {
        for (int64_t i = 0; i < l->count; packed += l->entries[i++].layout->size)
            cs_emu_layout_unpack(l->entries[i].layout, packed, user + l->entries[i].at);
    } else if (l->child->kind == CS_EMU_RUN) {
        scatter(l, packed, user);
    } else {
        for (int64_t i = 0; i < l->count; i++)
            cs_emu_layout_unpack(l->child, packed + i * l->child->size, user + i * l->stride);
    }
}

void cs_emu_layout_unpack_part(const struct cs_emu_layout *l, const char *packed, char *user, int64_t bytes)
{
    if (bytes >= l->size) {
        cs_emu_layout_unpack(l, packed, user);
        return;
    }
    if (l->kind == CS_EMU_RUN) {
        memcpy(user, packed, (size_t)bytes);
        return;
    }
    for (int64_t i = 0; i < l->count && bytes > 0; i++) {
        const struct cs_emu_layout *child = l->kind == CS_EMU_LIST ? l->entries[i].layout : l->child;

        cs_emu_layout_unpack_part(child, packed, user + (l->kind == CS_EMU_LIST ? l->entries[i].at : i * l->stride),
                                  bytes);
        packed += child->size;
        bytes -= child->size;
    }
}
