#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests effects-missing.sh: what small programs in C, C++ and Fortran call is all in the tables, at -O0 and -O2; a function
# that is in no table is named; a call between two of the objects is none of its business.
set -u
. "$(dirname "$0")/../frame.sh"

cat >c.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <errno.h>
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv)
{
    int n = 4, rank;
    char line[80], *end;
    FILE *f = fopen(argc > 1 ? argv[1] : "in", "r");
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (f && fgets(line, sizeof line, f)) n = strtol(line, &end, 10);
    if (errno == ERANGE) { perror("n"); MPI_Abort(MPI_COMM_WORLD, 1); }
    MPI_Bcast_c(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    int *a = calloc(n, sizeof *a);
    for (int i = 0; i < n; i++) a[i] = rand() % (int)(1 + fabs(sin(i) * 10));
    qsort(a, n, sizeof *a, by_value);
    if (sscanf(line, "%d", &rank) == 1) printf("%d %s\n", rank, strstr(line, "x"));
    MPI_Finalize();
    exit(0);
}
END
cat >x.cc <<'END'
#include <iostream>
#include <fstream>
#include <sstream>
#include <map>
#include <string>
#include <vector>
#include <stdexcept>
int main()
{
    std::ifstream in("in");
    std::map<std::string, int> m;
    std::string s;
    std::vector<double> v;
    while (in >> s) m[s + "x"]++;
    std::getline(std::cin, s);
    std::stringstream ss(s);
    for (double d; ss >> d; ) v.push_back(d);
    try { v.at(m.size()) = 1; } catch (const std::exception &e) { std::cerr << e.what() << std::endl; }
    std::cout << v.size() << ' ' << s.substr(1) << '\n';
}
END
cat >f.f90 <<'END'
program f
  use mpi
  implicit none
  integer :: n, ierr, ios
  real(8), allocatable :: a(:, :), b(:, :)
  character(len=20) :: name
  namelist /par/ n, name
  call MPI_Init(ierr)
  open(10, file='in', status='old', iostat=ios)
  if (ios /= 0) stop 'no input'
  read(10, nml=par)
  close(10)
  call get_command_argument(1, name)
  read(name, *) n
  call MPI_Bcast(n, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  allocate(a(n, n), b(n, n))
  call random_number(a)
  b = matmul(a, transpose(a))
  call work(b(1:n:2, :))
  print *, trim(name) // '!', maxval(b, 1), maxloc(b), n ** ierr
  call MPI_Finalize(ierr)
end program
subroutine work(x)
  real(8) :: x(*)
  x(1) = 0
end subroutine
END
echo 'int mystery(int); int helper(int x) { return mystery(x); }' >m.c
echo 'int helper(int); int main(void) { return helper(1); }' >n.c

missing() { "$top/tests/effects-missing.sh" "$@"; }
for o in 0 2; do
    must "$MPICC" -w -O$o -D_FORTIFY_SOURCE=$o -c c.c -o c.o
    must "$MPICXX" -w -O$o -c x.cc -o x.o
    must "$MPIFORT" -w -O$o -fcheck=bounds -c f.f90 -o f.o
    for obj in c.o x.o f.o; do
        case_ "-O$o $obj: everything is known" missing $obj
    done
done
must "$MPICC" -c m.c -o m.o
must "$MPICC" -c n.c -o n.o
expect "an unknown function, and no other" 1 '^mystery$' missing m.o n.o
equal "in one line" 1 "$(wc -l <case.log)"
expect "a missing object" 2 '' missing none.o
finish
