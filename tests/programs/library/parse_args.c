/* commslice-test: parse_args
 * about: argv is parsed with sscanf, strtol, strtok, strchr and atoi; the numbers decide messages
 * ranks: 2 3 4
 * args: 6x3 --tag=0x11 -n 4 --order=2,0,1,5 --scale=1.5e0 verbose -n
 * gone: paint
 * array: canvas 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N (8 * 1024 * 1024)

struct options {
    int w, h, tag, n, norder, order[8], verbose;
    double scale;
};

static void parse(struct options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *eq = strchr(argv[i], '='), *end;
        if (isdigit((unsigned char)argv[i][0])) {
            sscanf(argv[i], "%dx%d", &o->w, &o->h);
        } else if (!strncmp(argv[i], "--tag=", 6)) {
            o->tag = (int)strtol(argv[i] + 6, &end, 0);
            if (*end)
                exit(2);
        } else if (!strcmp(argv[i], "-n") && i + 1 < argc) {
            o->n = atoi(argv[++i]);
        } else if (eq && !strncmp(argv[i], "--order", (size_t)(eq - argv[i]))) {
            char *copy = strdup(eq + 1);
            for (char *t = strtok(copy, ","); t && o->norder < 8; t = strtok(NULL, ","))
                o->order[o->norder++] = atoi(t);
            free(copy);
        } else if (eq) {
            o->scale = strtod(eq + 1, NULL);
        } else {
            o->verbose += (int)strlen(argv[i]);
        }
    }
}

static double paint(double *c, int n, double scale)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) {
        c[i] = scale * (i % 255);
        s += c[i];
    }
    return s;
}

int main(int argc, char **argv)
{
    struct options o = {.w = 1, .h = 1, .tag = 1, .n = 1, .scale = 1.0};
    int rank, size;
    static double in[256];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    parse(&o, 1, argv);                                 /* what holds without arguments */
    MPI_Sendrecv(in, o.w + 2 * o.h + 4 * o.n + o.norder, MPI_DOUBLE, (rank + 1) % size, o.tag, in + 128, 128,
        MPI_DOUBLE,
                 (rank + size - 1) % size, o.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    parse(&o, argc, argv);

    double *canvas = malloc(N * sizeof *canvas);
    double s = paint(canvas, N, o.scale);
    for (int k = 0; k < o.n; k++)
        for (int i = 0; i < o.norder; i++) {
            int d = o.order[i] % size;
            MPI_Sendrecv(canvas, o.w * o.h + k, MPI_DOUBLE, (rank + d) % size, o.tag + i, in, 256, MPI_DOUBLE,
                         (rank + size - d) % size, o.tag + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    if (o.verbose == 9)                                 /* verbose, and -n without a number */
        MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: %dx%d tag %d n %d orders %d sum %g\n", rank, o.w, o.h, o.tag, o.n, o.norder, s);
    free(canvas);
    MPI_Finalize();
    return 0;
}
