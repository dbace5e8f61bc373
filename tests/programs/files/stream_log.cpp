/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: stream_log
 * about: what goes to std::cout and to a local std::ofstream is not what fscanf reads; the class that prints has a
 * about: string beside its numbers
 * ranks: 2 3
 * files: size.txt=7\n
 * gone: foam
 */
#include <mpi.h>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>

static double bath[1000];

extern "C" __attribute__((noinline)) double foam(int n)
{
    for (int i = 0; i < n; i++)
        bath[i] = bath[(i * 7) % n] * 1.5 + i;
    return bath[n / 2];
}

struct report {
    std::string title;
    int lines;
    double last;
};

static void note(report &r, double residual)
{
    r.title += "!";
    r.last = residual;
    std::cout << r.title << " " << std::setw(8) << std::setprecision(3) << residual << " " << r.lines << std::endl;
    std::ofstream log("foam.log", std::ios::app);
    log << r.title << ' ' << residual << "\n";
    if (!log.good())
        log.clear();
}

int main(int argc, char **argv)
{
    int n = 0;
    report r = {"foam", 1, 0};
    MPI_Init(&argc, &argv);
    FILE *f = fopen("size.txt", "r");
    for (int step = 0; step < 3; step++) {
        note(r, foam(1000));
        if (fscanf(f, "%d", &n) != 1)
            n = 3;
        MPI_Bcast(bath, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    fclose(f);
    MPI_Finalize();
    return 0;
}
