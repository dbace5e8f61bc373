/* SPDX-License-Identifier: BSD-3-Clause
 * Views of files: which byte of the file a byte of the visible data is. A filetype is turned into its runs of bytes
 * once, when the view is set; those that touch become one. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "emulate/files/file.h"
#include "emulate/types/type.h"
#include "emulate/world/world.h"

/* Runs that are being collected. */
struct runs {
    struct cs_emu_file_run *run;
    size_t n, cap;
};

static void add_run(void *arg, int64_t at, int64_t bytes)
{
    struct runs *r = arg;
    struct cs_emu_file_run *last = r->n ? &r->run[r->n - 1] : NULL;
    if (last && last->at + last->bytes == at) {
        last->bytes += bytes;
        return;
    }
    int64_t before = last ? last->before + last->bytes : 0; /* `last` may move */
    if (!CS_MAKE_ROOM(r->run, r->n, r->cap))
        cs_emu_fail("no memory for the view of a file");
    r->run[r->n] = (struct cs_emu_file_run){at, bytes, before};
    r->n++;
}

/* The bytes of a filetype come in the order of the file, none before the beginning, and where it is written none twice
 * (MPI 3.1, section 13.3). */
static bool fits_file(const struct runs *r, bool writable)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->run[i].at < (i == 0 ? 0 : r->run[i - 1].at + (writable ? r->run[i - 1].bytes : 0)))
            return false;
    return true;
}

int cs_emu_view_set(struct cs_emu_view *v, int64_t disp, MPI_Datatype etype, MPI_Datatype filetype, bool writable)
{
    int64_t esize = cs_emu_type_size(etype), fsize = cs_emu_type_size(filetype);
    struct runs r = {0};
    if (esize < 0 || fsize < 0 || !cs_emu_type_committed(etype) || !cs_emu_type_committed(filetype))
        return MPI_ERR_TYPE;
    if (disp < 0 || (esize > 0 && fsize % esize != 0))
        return MPI_ERR_ARG;
    if (!cs_emu_type_dense(filetype, 2))
        cs_emu_type_runs(filetype, add_run, &r);
    if (!fits_file(&r, writable)) {
        free(r.run);
        return MPI_ERR_IO;
    }
    cs_emu_type_hold(etype);
    cs_emu_type_hold(filetype);
    *v = (struct cs_emu_view){.disp = disp,
                              .size = fsize,
                              .extent = cs_emu_type_extent(filetype),
                              .etype_size = esize > 0 ? esize : 1,
                              .etype = etype,
                              .filetype = filetype,
                              .run = r.run,
                              .nruns = (int64_t)r.n};
    return MPI_SUCCESS;
}

void cs_emu_view_clear(struct cs_emu_view *v)
{
    cs_emu_type_release(v->etype);
    cs_emu_type_release(v->filetype);
    free(v->run);
    *v = (struct cs_emu_view){.etype = MPI_DATATYPE_NULL, .filetype = MPI_DATATYPE_NULL};
}

/* The last run that begins at or before this byte of a tile's data. */
static const struct cs_emu_file_run *run_of(const struct cs_emu_view *v, int64_t in)
{
    int64_t lo = 0, hi = v->nruns;
    while (hi - lo > 1) {
        int64_t mid = lo + (hi - lo) / 2;
        if (v->run[mid].before <= in)
            lo = mid;
        else
            hi = mid;
    }
    return &v->run[lo];
}

int64_t cs_emu_view_place(const struct cs_emu_view *v, int64_t at, int64_t *run)
{
    if (v->nruns == 0) {
        *run = INT64_MAX;
        return v->disp + at;
    }
    int64_t tile = at / v->size, in = at % v->size;
    const struct cs_emu_file_run *r = run_of(v, in);
    *run = r->bytes - (in - r->before);
    return v->disp + tile * v->extent + r->at + (in - r->before);
}

int64_t cs_emu_view_data_before(const struct cs_emu_view *v, int64_t end)
{
    int64_t rest = end - v->disp, data;
    if (rest <= 0)
        return 0;
    if (v->nruns == 0)
        return rest;
    int64_t tiles = v->extent > 0 ? rest / v->extent : 0;
    rest -= tiles * v->extent;
    data = tiles * v->size;
    for (int64_t i = 0; i < v->nruns && v->run[i].at < rest; i++)
        data += rest - v->run[i].at < v->run[i].bytes ? rest - v->run[i].at : v->run[i].bytes;
    return data;
}
