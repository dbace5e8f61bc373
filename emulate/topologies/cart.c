/* SPDX-License-Identifier: BSD-3-Clause
 * Cartesian topologies, MPI 3.1, section 7.5. Ranks are in row-major order: in a 2 x 3 grid rank 4 is at (1, 1). */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulate/objects/comm.h"
#include "emulate/topologies/topo_internal.h"
#include "emulate/world/entry.h"

/* The rank at these coordinates; in periodic dimensions they may lie outside the grid. */
static int rank_at(const struct cs_emu_topo *t, const int *coords)
{
    assert(t->kind == MPI_CART);
    int rank = 0;

    for (int d = 0; d < t->u.cart.ndims; d++) {
        int n = t->u.cart.dims[d], k = coords[d];

        if (t->u.cart.periodic[d])
            k = (k % n + n) % n;
        rank = rank * n + k;
    }
    return rank;
}

static void coords_of(const struct cs_emu_topo *t, int rank, int *coords)
{
    assert(t->kind == MPI_CART && rank >= 0);
    for (int d = t->u.cart.ndims - 1; d >= 0; d--) {
        coords[d] = rank % t->u.cart.dims[d];
        rank /= t->u.cart.dims[d];
    }
}

/* A grid in which the own rank is `rank`. NULL when memory is out. */
static struct cs_emu_topo *new_cart(int ndims, const int *dims, const int *periods, int rank)
{
    struct cs_emu_topo *t = cs_emu_topo_new(MPI_CART, 3 * ndims);

    if (!t)
        return NULL;
    t->u.cart.ndims = ndims;
    t->u.cart.dims = t->numbers;
    t->u.cart.periodic = t->numbers + ndims;
    t->u.cart.position = t->numbers + 2 * ndims;
    for (int d = 0; d < ndims; d++) {
        t->u.cart.dims[d] = dims[d];
        t->u.cart.periodic[d] = periods[d] != 0;
    }
    coords_of(t, rank, t->u.cart.position);
    return t;
}

/* The number of ranks of a grid; -1 if a dimension is not positive, or if it is more than `most`. */
static int grid_size(int ndims, const int *dims, int most)
{
    long n = 1;

    for (int d = 0; d < ndims; d++) {
        if (dims[d] <= 0)
            return -1;
        n *= dims[d];
        if (n > most)
            return -1;
    }
    return (int)n;
}

/* Says why there is no such grid: "a grid of 4 x 4 for 8 ranks". */
static void explain_grid(int ndims, const int *dims, int nranks)
{
    char grid[128] = "";
    for (int d = 0; d < ndims && strlen(grid) + 20 < sizeof grid; d++)
        snprintf(grid + strlen(grid), sizeof grid - strlen(grid), d ? " x %d" : "%d", dims[d]);
    cs_emu_error_detail("a grid of %s for %d rank%s", grid, nranks, nranks == 1 ? "" : "s");
}

CS_EMU_CALL(int, Cart_create,
            (MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *newcomm))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    struct cs_emu_topo *t = NULL;
    int class = MPI_SUCCESS, n;

    if (!c || c->inter)
        return cs_emu_comm_error(c, MPI_ERR_COMM, "MPI_Cart_create");
    if (ndims < 0 || !newcomm || (ndims > 0 && (!dims || !periods)))
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Cart_create");
    *newcomm = MPI_COMM_NULL;
    n = grid_size(ndims, dims, c->local->size);
    if (n < 0) {
        explain_grid(ndims, dims, c->local->size);
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Cart_create");
    }
    if (c->rank < n) {
        t = new_cart(ndims, dims, periods, c->rank);
        class = t ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    }
    if (class == MPI_SUCCESS)
        class = cs_emu_topo_comm(c, n, NULL, t, newcomm);
    return class == MPI_SUCCESS ? class : cs_emu_comm_error(c, class, "MPI_Cart_create");
}

CS_EMU_CALL(int, Cartdim_get, (MPI_Comm comm, int *ndims))
{
    int result = MPI_SUCCESS;
    struct cs_emu_comm *c;
    const struct cs_emu_topo *t = cs_emu_topo_asked(comm, MPI_CART, &c, &result, "MPI_Cartdim_get");

    if (t && !ndims)
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Cartdim_get");
    if (t)
        *ndims = t->u.cart.ndims;
    return result;
}

CS_EMU_CALL(int, Cart_get, (MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]))
{
    int result = MPI_SUCCESS;
    struct cs_emu_comm *c;
    const struct cs_emu_topo *t = cs_emu_topo_asked(comm, MPI_CART, &c, &result, "MPI_Cart_get");
    size_t bytes;

    if (!t)
        return result;
    if (t->u.cart.ndims > maxdims || (t->u.cart.ndims > 0 && (!dims || !periods || !coords)))
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Cart_get");
    bytes = (size_t)t->u.cart.ndims * sizeof(int);
    if (bytes > 0) {
        memcpy(dims, t->u.cart.dims, bytes);
        memcpy(periods, t->u.cart.periodic, bytes);
        memcpy(coords, t->u.cart.position, bytes);
    }
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Cart_rank, (MPI_Comm comm, const int coords[], int *rank))
{
    int result = MPI_SUCCESS;
    struct cs_emu_comm *c;
    const struct cs_emu_topo *t = cs_emu_topo_asked(comm, MPI_CART, &c, &result, "MPI_Cart_rank");

    if (!t)
        return result;
    if (!rank || (t->u.cart.ndims > 0 && !coords))
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Cart_rank");
    for (int d = 0; d < t->u.cart.ndims; d++)
        if (!t->u.cart.periodic[d] && (coords[d] < 0 || coords[d] >= t->u.cart.dims[d]))
            return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Cart_rank");
    *rank = rank_at(t, coords);
    return MPI_SUCCESS;
}

CS_EMU_CALL(int, Cart_coords, (MPI_Comm comm, int rank, int maxdims, int coords[]))
{
    int result = MPI_SUCCESS;
    struct cs_emu_comm *c;
    const struct cs_emu_topo *t = cs_emu_topo_asked(comm, MPI_CART, &c, &result, "MPI_Cart_coords");

    if (!t)
        return result;
    if (rank < 0 || rank >= c->local->size)
        return cs_emu_comm_error(c, MPI_ERR_RANK, "MPI_Cart_coords");
    if (t->u.cart.ndims > maxdims || (t->u.cart.ndims > 0 && !coords))
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Cart_coords");
    coords_of(t, rank, coords);
    return MPI_SUCCESS;
}

/* The rank that is `steps` away from the own rank in dimension d; MPI_PROC_NULL if that is outside the grid. */
static int neighbour(const struct cs_emu_topo *t, int rank, int d, int steps)
{
    assert(d >= 0 && d < t->u.cart.ndims);
    int n = t->u.cart.dims[d], from = t->u.cart.position[d], below = 1;
    long to = (long)from + steps;

    if (!t->u.cart.periodic[d] && (to < 0 || to >= n))
        return MPI_PROC_NULL;
    for (int i = d + 1; i < t->u.cart.ndims; i++)
        below *= t->u.cart.dims[i];
    return rank + ((int)((to % n + n) % n) - from) * below;
}

void cs_emu_cart_shift(const struct cs_emu_comm *c, int d, int steps, int *source, int *destination)
{
    *destination = steps == 0 ? c->rank : neighbour(c->topo, c->rank, d, steps);
    *source = steps == 0 ? c->rank : neighbour(c->topo, c->rank, d, -steps);
}

CS_EMU_CALL(int, Cart_shift, (MPI_Comm comm, int direction, int disp, int *source, int *dest))
{
    int result = MPI_SUCCESS;
    struct cs_emu_comm *c;
    const struct cs_emu_topo *t = cs_emu_topo_asked(comm, MPI_CART, &c, &result, "MPI_Cart_shift");

    if (!t)
        return result;
    if (t->u.cart.ndims == 0)
        return cs_emu_comm_error(c, MPI_ERR_TOPOLOGY, "MPI_Cart_shift");
    if (direction < 0 || direction >= t->u.cart.ndims || !source || !dest)
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Cart_shift");
    cs_emu_cart_shift(c, direction, disp, source, dest);
    return MPI_SUCCESS;
}

/* The ranks of MPI_Cart_sub's part of the grid: those that have the own position in all dimensions d with remain[d] 0.
 * In ascending order, in `ranks`; `coords` is scratch. Returns how many. */
static int slice_ranks(const struct cs_emu_topo *t, const int *remain, int nranks, int *coords, int *ranks)
{
    int n = 0;

    for (int r = 0; r < nranks; r++) {
        bool in = true;

        coords_of(t, r, coords);
        for (int d = 0; d < t->u.cart.ndims && in; d++)
            in = remain[d] || coords[d] == t->u.cart.position[d];
        if (in)
            ranks[n++] = r;
    }
    return n;
}

/* MPI_Cart_sub with checked arguments. Returns an error class. */
static int make_slice(struct cs_emu_comm *c, const struct cs_emu_topo *t, const int *remain, MPI_Comm *newcomm)
{
    int ndims = t->u.cart.ndims, kept = 0, rank = 0, n, class = MPI_ERR_NO_MEM;
    int *ranks = malloc((size_t)c->local->size * sizeof *ranks), *room = malloc((3 * (size_t)ndims + 1) * sizeof *room);
    int *dims = room, *periods = room + ndims, *coords = room ? room + 2 * ndims : NULL;
    struct cs_emu_topo *part;
    bool outside;

    if (!ranks || !room)
        goto out;
    for (int d = 0; d < ndims; d++) {
        if (!remain[d])
            continue;
        dims[kept] = t->u.cart.dims[d];
        periods[kept++] = t->u.cart.periodic[d];
        rank = rank * t->u.cart.dims[d] + t->u.cart.position[d];
    }
    n = slice_ranks(t, remain, c->local->size, coords, ranks);
    // Without any dimension, MPICH makes one communicator, of rank 0 alone, as MPI_Cart_create does.
    outside = kept == 0 && c->rank > 0;
    part = outside ? NULL : new_cart(kept, dims, periods, rank);
    if (part || outside)
        class = cs_emu_topo_comm(c, n, ranks, part, newcomm);
out:
    free(ranks);
    free(room);
    return class;
}

CS_EMU_CALL(int, Cart_sub, (MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm))
{
    int result = MPI_SUCCESS;
    struct cs_emu_comm *c;
    const struct cs_emu_topo *t = cs_emu_topo_asked(comm, MPI_CART, &c, &result, "MPI_Cart_sub");

    if (!t)
        return result;
    if (!newcomm || (t->u.cart.ndims > 0 && !remain_dims))
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Cart_sub");
    result = make_slice(c, t, remain_dims, newcomm);
    return result == MPI_SUCCESS ? result : cs_emu_comm_error(c, result, "MPI_Cart_sub");
}

CS_EMU_CALL(int, Cart_map, (MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank))
{
    struct cs_emu_comm *c = cs_emu_comm_of(comm);
    int n;

    if (!c || c->inter)
        return cs_emu_comm_error(c, MPI_ERR_COMM, "MPI_Cart_map");
    if (ndims < 0 || !newrank || (ndims > 0 && (!dims || !periods)))
        return cs_emu_comm_error(c, MPI_ERR_ARG, "MPI_Cart_map");
    n = grid_size(ndims, dims, c->local->size);
    if (n < 0)
        return cs_emu_comm_error(c, MPI_ERR_DIMS, "MPI_Cart_map");
    *newrank = c->rank < n ? c->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
