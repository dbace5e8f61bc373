#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Bad input to the plugin, to slices and to the recorder: each case must end with the expected exit status and say, on one line, what is
# wrong, where, and what to do. usage: bad_input_test.sh [PATTERN]
set -u
. "$(dirname "$0")/../frame.sh"
pattern=${1:-*}

# ---- a case: input_case NAME <<'END' with lines   run COMMAND | exit N | says REGEX | silent REGEX | not FILE | and COMMAND ----

slicing() { "$MPICC" -g -O1 -fplugin="$PLUGIN" "$@"; }         # SLICE options and files
opt() { echo "-fplugin-arg-commslice-$1"; }
original() { "$MPICC" -g -O1 "$@"; }
case ${CS_LONG:-no} in       # the long tests record originals under MPICH
    yes) record() { "$COMMSLICE" record -o "$1" -- "$MPIEXEC" -n 2 "$2"; } ;;
    *) record() { "$COMMSLICE" record --engine emulate -n 2 -o "$1" -- "$2"; } ;;
esac
run_slice() { "$COMMSLICE" run -n 2 -o "$1" "$2"; }
same() { original -o orig "$@" && record orig.trace ./orig && run_slice slice.trace ./slice && "$COMMSLICE" diff orig.trace slice.trace; }

check_line() {  # KEYWORD REST: a line of a case; prints why it fails
    case $1 in
        run) DO='' ON_SIGNAL='' ON_ERROR='' LEVEL='' ; eval "$2" >log 2>&1 </dev/null; rc=$? ;;
        exit) [ "$rc" = "$2" ] || echo "exit status $rc, not $2" ;;
        says) grep -Eq -- "$2" log || echo "does not say: $2" ;;
        silent) ! grep -Eq -- "$2" log || echo "says: $(grep -E -m1 -- "$2" log)" ;;
        not) [ ! -e "$2" ] || echo "$2 was made" ;;
        and) eval "$2" >log2 2>&1 </dev/null || echo "failed: $2: $(tail -n 1 log2)" ;;
        '') ;;
        *) echo "unknown keyword $1" ;;
    esac
}

input_case() {  # NAME, lines on standard input
    # shellcheck disable=SC2254  # a pattern on purpose
    case $1 in $pattern|*$pattern*) ;; *) cat >/dev/null; return ;; esac
    rm -rf work && mkdir work && cp ./*.c ./*.cpp ./*.f90 work/ && cd work || exit 2
    why='' rc=0
    cat >../lines
    while read -r keyword rest; do
        check_line "$keyword" "$rest" >../why
        [ -s ../why ] && why=$(cat ../why) && break
    done <../lines
    if [ -z "$why" ]; then
        pass "$1"
    else
        fail "$1" "$why"
        sed 's/^/     | /' log | head -n 12
    fi
    cd .. || exit 2
}

# ---- programs ----

cat >short.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, n = 10;
    static char a[10];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(a, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(a, 10, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
END
cat >ring.c <<'END'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, i, n = 100;
    double *a = calloc(n, sizeof *a), sum = 0, all = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < 20; i++) {
        for (int k = 0; k < n; k++) sum += a[k];
        MPI_Sendrecv_replace(a, n, MPI_DOUBLE, (rank + 1) % size, 1, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (all > 1e9)
            break;
    }
    MPI_Finalize();
    return 0;
}
END
cat >calls.c <<'END'
#include <mpi.h>
int other(int *n);
static int a[100];
int main(int argc, char **argv)
{
    int n = 3;
    MPI_Init(&argc, &argv);
    other(&n);
    MPI_Bcast(a, n, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
sed -e 's/n = 3;/n = 3;\n    if (argc > 7)\n        return 1;/' calls.c >if.c
echo 'int other(int *n) { *n += 4; return 1; }' >other.c
echo 'int main(void) { double s = 0; for (int i = 0; i < 10; i++) s += i; return s < 0; }' >nompi.c
for what in 'Register_datarep("f", NULL, NULL, NULL, NULL)' \
    'Comm_spawn("x", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, \&c, MPI_ERRCODES_IGNORE)'; do
    sed -e "s|CALL|MPI_$what|" >"${what%%(*}.c" <<'END'
#include <mpi.h>
#include <stdlib.h>
static double a[8];
static MPI_File f; static MPI_Comm c;
static void setup(void)
{
    CALL;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#ifdef UNREACHABLE
    if (a == NULL)
#endif
    setup();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return f == NULL && c == 0 ? 1 : 0;
}
END
done
# What the slicer refuses where a trace could be wrong: one statement is all that differs.
cat >refused.c <<'END'
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static volatile int n = 2;
static void on_signal(int s) { ON_SIGNAL; (void)s; }
static void on_error(MPI_Comm *c, int *code, ...) { ON_ERROR; (void)c; (void)code; }
static void on_timer(union sigval v) { n = 9; (void)v; }
static void *thread(void *p) { n = 9; return p; }
int main(int argc, char **argv)
{
    static double a[64];
    MPI_Errhandler h; pthread_t t; timer_t timer; struct sigevent e; int rc = 0, got;
    MPI_Init_thread(&argc, &argv, LEVEL, &got);
    memset(&e, 0, sizeof e);
    e.sigev_notify = SIGEV_THREAD;
    e.sigev_notify_function = on_timer;
    DO;
    (void)h; (void)t; (void)timer; (void)rc; (void)got; (void)on_signal; (void)on_error; (void)thread;
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
cat >nested.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    __label__ out;
    int n = 1;
    static double a[64];
    void deep(int k) { n += k; if (k > 3) goto out; deep(k + 1); n = 60; }
    MPI_Init(&argc, &argv);
    deep(0);
out:
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
cat >omp.c <<'END'
#include <mpi.h>
#include <omp.h>
#include <unistd.h>
static int flag, data;
static void produce(void) { usleep(20000); data = 9; __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST); }
static int consume(void) { while (!__atomic_load_n(&flag, __ATOMIC_SEQ_CST)) usleep(100); return data; }
int main(int argc, char **argv)
{
    static double a[64];
    int n = 1, got;
    MPI_Init_thread(&argc, &argv, LEVEL, &got);
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) produce();
        #pragma omp master
        n = consume();
    }
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
# An operator new of the program's own, which counts; what is sent is given. It may be taken from a pool that is a variable.
cat >counting.cpp <<'END'
#include <mpi.h>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>
struct free_block { free_block *next; };
static int allocations;
static char pool[1 << 20];
static std::size_t used;
static free_block *first;
void *operator new(std::size_t n)
{
    allocations++;
    if (n <= 64 && first) {
        free_block *b = first;
        first = b->next;
        return b;
    }
    void *p = pool + used;
    used += (n + 63) & ~std::size_t(63);
    if (used > sizeof pool) throw std::bad_alloc();
    return p;
}
void operator delete(void *p) noexcept { first = new (p) free_block{first}; }
void operator delete(void *p, std::size_t) noexcept { ::operator delete(p); }
int main(int argc, char **argv)
{
    static double a[4000];
    MPI_Init(&argc, &argv);
    std::string s;
    std::vector<int> v(10, 7);
    for (int i = 0; i < 100 * argc; i++) s += "text";
    MPI_Bcast(a, SENT, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::printf("%d %zu\n", allocations, s.size());
    MPI_Finalize();
}
END
# What these do, what their handlers do, and the thread level, from variables of these names.
with() { "$@" -DDO="${DO:-}" -DON_SIGNAL="${ON_SIGNAL:-n = 9}" -DON_ERROR="${ON_ERROR:-n = 9}" -DLEVEL="${LEVEL:-MPI_THREAD_FUNNELED}"; }
built() { original -o orig "$@" && slicing -o slice "$@" && record orig.trace ./orig && run_slice slice.trace ./slice && "$COMMSLICE" diff orig.trace slice.trace; }
cat >long.c <<'END'
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, n = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100000; i++) {
        n = (n * 1103515245 + 12345) & 1023;
        MPI_Bcast(&n, 0, MPI_INT, 0, MPI_COMM_WORLD);
        if (!rank) MPI_Send(&n, 0, MPI_INT, MPI_PROC_NULL, n, MPI_COMM_WORLD);
        if (getenv("KILL_AT") && i == atoi(getenv("KILL_AT")) && rank == 1) kill(getpid(), SIGKILL);
    }
    MPI_Finalize();
    return 0;
}
END
cat >full_disk.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
/* Preloaded: after 60 KB there is no room for traces: a block of a rank is half as large at most. */
ssize_t write(int fd, const void *buf, size_t n)
{
    static size_t used;
    char link[64], path[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, path, sizeof path - 1) > 8 && strstr(path, ".trace") && (used += n) > 60000) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, fd, buf, n);
}
END
cat >fortran.f90 <<'END'
program fortran
  use mpi
  implicit none
  integer :: ierr
  call MPI_Init(ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
END
cat >nofile.f90 <<'END'
program nofile
  use mpi
  implicit none
  integer :: ierr, n
  call MPI_Init(ierr)
  open(11, file='not-there', status='old')
  read(11, *) n
  if (n > 3) call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
END

# ---- cases ----

input_case 'an object without plugin information' <<'END'
run gcc -c other.c && slicing calls.c other.o -o slice
exit 0
says ^calls.c:8: commslice warning: other has no body
and same calls.c other.c
run "$COMMSLICE" info slice
says other, called at calls.c:8
END
input_case 'a library without plugin information' <<'END'
run gcc -c other.c && ar rc libother.a other.o && slicing calls.c -L. -lother -o slice
exit 0
says ^calls.c:8: commslice warning: other has no body
and same calls.c other.c
END
input_case 'an unknown function of a shared library' <<'END'
run gcc -shared -fPIC other.c -o libother.so && slicing calls.c ./libother.so -o slice
exit 0
says ^calls.c:8: commslice warning: other has no body
and same calls.c other.c
END
input_case 'a function that is defined nowhere' <<'END'
run slicing calls.c -o slice
exit 1
says undefined reference to .other
not slice
END
input_case 'a program without MPI' <<'END'
run slicing nompi.c -o slice
exit 0
says ^commslice warning: the program makes no MPI call
END
for what in Register_datarep Comm_spawn; do
input_case "unsupported: MPI_$what" <<END
run slicing $what.c -o slice
exit 1
says ^$what.c:7: commslice error: MPI_$what: .*not supported
not slice
END
input_case "unsupported but unreachable: MPI_$what" <<END
run slicing -DUNREACHABLE $what.c -o slice
exit 0
silent not supported
and run_slice slice.trace ./slice
END
done
input_case 'an assumption that is none' <<'END'
run slicing $(opt assume=ring.c=never) ring.c -o slice
exit 1
says commslice: assumption 'ring.c=never' is not of the form FILE:LINE=never
not slice
END
input_case 'an assumption with a word that is none' <<'END'
run slicing $(opt assume=ring.c:14=perhaps) ring.c -o slice
exit 1
says commslice: assumption 'ring.c:14=perhaps': 'perhaps' is neither never nor always nor a number
not slice
END
input_case 'an assumption file with a bad line' <<'END'
run printf '# why\nring.c:14=never\n\nring.c:x=never # no\n' >lines.assume; slicing $(opt assume=lines.assume) ring.c -o slice
exit 1
says commslice: lines.assume:4: assumption 'ring.c:x=never': the line number is not a positive number
not slice
END
input_case 'an assumption file that is not there' <<'END'
run slicing $(opt assume=none.assume) ring.c -o slice
exit 1
says commslice: cannot read the assumption file none.assume: No such file
not slice
END
input_case 'an assumption that matches nothing' <<'END'
run slicing $(opt assume=ring.c:7=never) ring.c -o slice
exit 1
says commslice: assumption .ring.c:7=never. matches no branch
not slice
END

cat >joined.c <<'END'
#include <mpi.h>
struct pair { char a, b; int c; };
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct pair p = {argc, argc + 1, 0}, *q = argc > 3 ? &p : (struct pair *)argv;
    if (argc > 2 && argc >= 0 && argc < 10)
        MPI_Bcast(argv, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (q->a == 3 && q->b == 5 && argc > 3)
        MPI_Bcast(argv, 2, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (argc > 2 && (argv[1][0] < 'a' || argv[1][0] > 'z'))
        MPI_Bcast(argv, 3, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
END
for place in 7.2 7.3 9.1 9.3 11.2; do
    input_case "a comparison that the compiler has joined: $place" <<END
run slicing -O2 \$(opt assume=joined.c:$place=never) joined.c -o slice
exit 1
says commslice: assumption about .joined.c:$place.: the compiler has joined comparisons of this line
not slice
END
done
input_case 'a comparison ahead of those that the compiler has joined' <<'END'
run slicing -O2 $(opt assume=joined.c:11.1=never) joined.c -o slice
exit 0
END
cat >negated.c <<'END'
#include <mpi.h>
#define NEITHER(a, b) (!((a) || (b)))
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    _Bool known = 3 < 50;
    if (NEITHER(argc > 9, !argv[0]) && argc > 0)
        MPI_Bcast(argv, 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (!known || argc < 0)
        MPI_Bcast(argv, 2, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
END
input_case 'a comparison that a macro may turn' <<'END'
run slicing $(opt assume=negated.c:7.1=never) negated.c -o slice
exit 1
says commslice: assumption about .negated.c:7.1.: the line negates several comparisons
not slice
END
input_case 'a comparison that the compiler knows' <<'END'
run slicing -O2 $(opt assume=negated.c:9.1=never) negated.c -o slice
exit 1
says commslice: assumption .negated.c:9.1=never. matches no branch: the line has no comparison of this number, or
not slice
END
input_case 'a comparison behind one that the compiler knows' <<'END'
run slicing -O2 $(opt assume=negated.c:9.2=never) negated.c -o slice
exit 0
END
input_case 'an assumption that contradicts another' <<'END'
run printf 'ring.c:14=never\n\nring.c:14=always\n' >lines.assume; slicing $(opt assume=lines.assume) ring.c -o slice
exit 1
says commslice: lines.assume:3: assumption .ring.c:14=always. contradicts .ring.c:14=never.
not slice
END
input_case 'an assumption that is given twice' <<'END'
run slicing $(opt assume=ring.c:14=never) $(opt assume=ring.c:14=never) ring.c -o slice
exit 0
says ^commslice: assuming ring.c:14=never \(1 branch\)
and "$COMMSLICE" info slice | grep -c 'ring.c:14=never' | grep -x 1
END
input_case 'a value that is no expression' <<'END'
run slicing $(opt assume=ring.c:12:sendcount=ranks) ring.c -o slice
exit 1
says commslice: assumption 'ring.c:12:sendcount=ranks': only rank, size, iteration, min, max, pick, dims, near and toward are known at 'ranks'
not slice
END
input_case 'a value of a line without statements' <<'END'
run slicing $(opt assume=ring.c:99:count=3) ring.c -o slice
exit 1
says commslice: assumption about 'count' at ring.c:99: there is no statement at this line
not slice
END
input_case 'a value of an argument that the call does not have' <<'END'
run slicing $(opt assume=ring.c:12:sendcount=3) ring.c -o slice
exit 1
says commslice: assumption about 'sendcount' at ring.c:12: MPI_Sendrecv_replace has no such argument
not slice
END
input_case 'a value of a variable that is not assigned' <<'END'
run slicing $(opt assume=ring.c:13:sun=3) ring.c -o slice
exit 1
says commslice: assumption about 'sun' at ring.c:13: MPI_Allreduce has no such argument, and no such variable
not slice
END
input_case 'a value of a line without a call' <<'END'
run slicing $(opt assume=ring.c:11:count=3) ring.c -o slice
exit 1
says commslice: assumption about 'count' at ring.c:11: there is no call of MPI, and no such variable is assigned
not slice
END
input_case 'a value of what is no integer' <<'END'
run slicing $(opt assume=ring.c:13:sendbuf=3) ring.c -o slice
exit 1
says commslice: assumption about 'sendbuf' at ring.c:13: it is not an integer
not slice
END
input_case 'a value that contradicts another' <<'END'
run slicing $(opt assume=ring.c:13:count=1) $(opt assume=ring.c:13:count=2) ring.c -o slice
exit 1
says commslice: assumption .ring.c:13:count=2. contradicts .ring.c:13:count=1.
not slice
END
input_case 'an assumed count of a message that is transmitted' <<'END'
run slicing $(opt assume=ring.c:13:count=1) ring.c -o slice
exit 1
says commslice: assumption .ring.c:13:count=1.: what is in this message decides communication
not slice
END
input_case 'values that the original does not have' <<'END'
run slicing $(opt mode=original) $(opt assume=ring.c:12:count=80) ring.c -o inst && record inst.trace ./inst
exit 0
says warning: assumption ring.c:12:count=80 violated [1-9][0-9]* times of [1-9][0-9]*, by at most 20 %
and "$COMMSLICE" info inst.trace | grep 'ring.c:12:count=80 violated'
END
input_case 'a value that the original has' <<'END'
run slicing $(opt mode=original) $(opt assume=ring.c:12:count=50*2) ring.c -o inst && record inst.trace ./inst
exit 0
silent warning
and "$COMMSLICE" info inst.trace | grep 'ring.c:12:count=50\*2 violated 0 times of'
END
input_case 'counts that differ within a tolerance' <<'END'
run slicing $(opt assume=short.c:9:count=8) short.c -o slice && run_slice slice.trace ./slice && slicing $(opt mode=original) short.c -o inst && record inst.trace ./inst
exit 0
and ! "$COMMSLICE" diff inst.trace slice.trace >/dev/null
and ! "$COMMSLICE" diff --tolerance 0.19 inst.trace slice.trace >/dev/null
and "$COMMSLICE" diff --tolerance 0.2 inst.trace slice.trace | grep 'counts differ, by at most 20 %'
and "$COMMSLICE" info slice.trace | grep 'an approximation'
and ! "$COMMSLICE" info inst.trace | grep 'an approximation'
and "$COMMSLICE" matrix slice.trace 2>&1 | grep 'an approximation'
END
input_case 'a receive that is shorter than the assumed message' <<'END'
run slicing $(opt assume=short.c:9:count=100000) short.c -o slice && run_slice slice.trace ./slice
exit 0
and "$COMMSLICE" print slice.trace | grep 'count=100000'
END
input_case 'a trip count where no loop is' <<'END'
run slicing $(opt assume=if.c:7=4) if.c -o slice
exit 1
says commslice: assumption 'if.c:7=4': no condition of this line leaves a loop
not slice
END
input_case 'an assumption that the original breaks' <<'END'
run slicing $(opt mode=original) $(opt assume=ring.c:10=5) ring.c -o inst && record inst.trace ./inst
exit 0
says warning: assumption ring.c:10=5 violated [1-9][0-9]* times
and "$COMMSLICE" info inst.trace | grep 'ring.c:10=5 violated'
END
input_case 'an assumption file, kept by the original' <<'END'
run printf '# the loop never ends early\n  ring.c:14=never  # no sum is that large\n' >l.assume; slicing $(opt mode=original) $(opt assume=l.assume) ring.c -o inst
says ^commslice: assuming ring.c:14=never \(1 branch\)
run record inst.trace ./inst
exit 0
silent warning
and "$COMMSLICE" info inst.trace | grep 'ring.c:14=never violated 0 times'
and slicing $(opt assume=l.assume) ring.c -o slice && same ring.c && "$COMMSLICE" info slice.trace | grep -x '  ring.c:14=never'
and "$COMMSLICE" diff inst.trace slice.trace
END
input_case 'a GCC of another version' <<'END'
run sed "s/$(gcc -dumpfullversion)/12.9.9/g" "$PLUGIN" >other.so; gcc -fplugin=./other.so -c other.c
exit 1
says commslice: built for GCC 12.9.9, but this is GCC
END
input_case 'link-time information turned off' <<'END'
run slicing -fno-lto ring.c -o slice
exit 1
says commslice: -fno-lto is given, but a slice needs the whole program at the link: take it out
not slice
END
input_case 'an option that there is not' <<'END'
run slicing $(opt colour=red) ring.c -o slice
exit 1
says commslice: unknown option -fplugin-arg-commslice-colour=red
not slice
END
input_case 'an option without its value' <<'END'
run slicing $(opt assume=) ring.c -o slice
exit 1
says commslice: option -fplugin-arg-commslice-assume= needs a value
not slice
END
input_case 'an option with a value that it does not take' <<'END'
run slicing $(opt keep-errors=no) ring.c -o slice
exit 1
says commslice: option -fplugin-arg-commslice-keep-errors=no takes no value
run slicing $(opt mode=orignal) ring.c -o slice
exit 1
says commslice: option -fplugin-arg-commslice-mode=orignal is original, counted or slice
not slice
END
input_case 'an assumption file that is a folder' <<'END'
run slicing $(opt assume=.) ring.c -o slice
exit 1
says commslice: cannot read the assumption file .: Is a directory
not slice
END
input_case 'a dump onto a full disk' <<'END'
run slicing $(opt dump=/dev/full) ring.c -o slice
exit 1
says commslice: cannot write /dev/full: No space left
not slice
END
input_case 'an effects file that is not there' <<'END'
run slicing $(opt effects=none.tab) ring.c -o slice
exit 1
says commslice: effects file: none.tab: No such file
not slice
END
input_case 'an effects file with a bad row' <<'END'
run printf '# mine\nother flies=1\n' >my.tab; slicing $(opt effects=my.tab) ring.c -o slice
exit 1
says commslice: effects file: my.tab:2: 
not slice
END
input_case 'a dump that cannot be written' <<'END'
run slicing $(opt dump=no/such/folder) ring.c -o slice
exit 1
says commslice: cannot write no/such/folder: No such file
not slice
END
cat >grid.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int dims[] = {4, 4}, periods[] = {0, 0};
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Finalize();
    return 0;
}
END
input_case 'a grid of more ranks than there are' <<'END'
run slicing grid.c -o slice && "$COMMSLICE" run -n 8 -o t.trace ./slice
exit 2
says MPI_Cart_create: Invalid argument: a grid of 4 x 4 for 8 ranks
END
input_case 'a slice or a program in place of a trace' <<'END'
run slicing ring.c -o slice && "$COMMSLICE" matrix slice
exit 2
says commslice matrix: slice: is a slice, not a trace; commslice run -n N slice makes a trace of a run
run original -o orig ring.c && "$COMMSLICE" fold orig -o f
exit 2
says commslice fold: orig: is a program, not a trace; commslice record makes a trace of a run
END
input_case 'a slice without commslice' <<'END'
run slicing ring.c -o slice && ./slice
exit 2
says commslice: \./slice is a slice, which cannot run on its own: start it with `commslice run -n N \./slice`
run "$MPIEXEC" -n 2 ./slice
says commslice: \./slice is a slice
silent Segmentation|Aborting|abort
END
input_case 'a Fortran slice without commslice' <<'END'
run "$MPIFORT" -fplugin="$PLUGIN" fortran.f90 -o slice && ./slice
exit 2
says commslice: \./slice is a slice
END
input_case 'a Fortran slice without its input file' <<'END'
run "$MPIFORT" -O2 -fplugin="$PLUGIN" nofile.f90 -o slice && run_slice slice.trace ./slice
exit 2
says Fortran runtime error: Cannot open file 'not-there'
silent Segmentation|SIGSEGV
END
input_case 'an original that is run as a slice' <<'END'
run original ring.c -o orig && run_slice orig.trace ./orig
exit 2
says orig: not a slice
not orig.trace
END
input_case 'a disk that is full while recording' <<'END'
run gcc -shared -fPIC full_disk.c -o full_disk.so && original long.c -o orig && LD_PRELOAD=$PWD/full_disk.so record t.trace ./orig
exit 2
says commslice: error: rank [01] cannot write the trace .*/t.trace: No space left on device; it stays incomplete
and "$COMMSLICE" info t.trace | grep 'was cut after [1-9][0-9]* events'
END
input_case 'kill -9 while recording' <<'END'
run original long.c -o orig && KILL_AT=50000 record t.trace ./orig
exit 2
says did not come to MPI_Finalize
and "$COMMSLICE" info t.trace | grep 'rank 1 was cut after 50002 events'
END
input_case 'a trace that was cut off' <<'END'
run original ring.c -o orig && record t.trace ./orig && head -c 300 t.trace >cut.trace; "$COMMSLICE" diff t.trace cut.trace
exit 1
says ^rank [01]: cut.trace ends after [0-9]* events, t.trace goes on
and "$COMMSLICE" info cut.trace | grep 'was cut after'
END
input_case 'a trace with a flipped byte' <<'END'
run original ring.c -o orig && record t.trace ./orig && { head -c 400 t.trace; printf '\377'; tail -c +402 t.trace; } >bad.trace && ! cmp -s t.trace bad.trace
exit 0
run "$COMMSLICE" diff t.trace bad.trace
exit 1
says ^different: [12] of 2 ranks
and "$COMMSLICE" info bad.trace | grep 'damage  *[1-9][0-9]* bytes'
END

# ---- programs whose trace could be wrong ----

cat >process.c <<'END'
#include <mpi.h>
#include <fenv.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
struct node { int n; };
int main(int argc, char **argv)
{
    int n = 3, k = 0;
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    struct rusage usage;
    MPI_Init(&argc, &argv);
    FILE *f = fopen("/proc/self/statm", "r");
    if (fscanf(f, "%d", &k) == 1) a->n = k;
    b->n = (int)mallinfo2().uordblks + fetestexcept(FE_INEXACT) + getrusage(RUSAGE_SELF, &usage);
    ASK;
    MPI_Send(argv, n, MPI_CHAR, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    printf("%d %d %ld\n", a->n, b->n, usage.ru_maxrss);
    return MPI_Finalize();
}
END
input_case 'what is known of the process is only printed' <<'END'
run slicing -DASK= process.c -o slice
exit 0
silent warning|error
END

input_case 'the size of memory decides a count' <<'END'
run slicing -DASK='n = mallinfo2().uordblks % 9' process.c -o slice
exit 1
says ^process.c:17: commslice error: what the library tells about the memory
END

input_case 'the time or memory that was used decides a count' <<'END'
run slicing -DASK='n = usage.ru_maxrss % 9' process.c -o slice
exit 1
says ^process.c:16: commslice error: what the library tells about the memory
END

input_case 'a file of /proc decides a count' <<'END'
run slicing -DASK='n = k % 9' process.c -o slice
exit 1
says ^process.c:14: commslice error: what the system tells about this process
END

input_case 'a floating-point flag decides a count' <<'END'
run slicing -DASK='n = fetestexcept(FE_INEXACT) != 0' process.c -o slice
exit 1
says ^process.c:17: commslice error: flags that arithmetic raises
END

input_case 'the order of two addresses decides a count' <<'END'
run slicing -DASK='n = a < b' process.c -o slice
exit 0
says ^process.c:17: commslice warning: the order of addresses
END

cat >variables.c <<'END'
#include <mpi.h>
#include <stdlib.h>
struct field { const char *name; int width; };
static struct field rho = {"rho", 3}, ener = {"ener", 5}, mom = {"mom", 11};
static int one(void) { return 1; }
static int two(void) { return 2; }
static int order(const void *a, const void *b)
{
    char *x = *(char **)a, *y = *(char **)b;
    return (x > y) - (x < y);
}
static int sum(const int *p, const int *end)
{
    int s = 0;
    for (; p < end; p++)
        s += *p;
    return s;
}
int main(int argc, char **argv)
{
    int a = argc, b = argc + 3, v[4] = {argc, 1, 2, 3}, w[6] = {argc, 2};
    MPI_Init(&argc, &argv);
    void *p[][2] = {{&mom, &rho}, {one, two}, {&a, &b}};
    (void)p;
    (void)order;
    (void)ener;
    ASK;
    return MPI_Finalize();
}
END
for ask in '0, ((struct field *)p[0][0])->width' '1, ((int (*)(void))p[1][0])()' '2, *(int *)p[2][0]'; do
    input_case "the order of variables or functions decides a count: $ask" <<END
run slicing -O2 -w '-DASK=qsort(p[${ask%%,*}], 2, sizeof **p, order); MPI_Send(argv, ${ask#*, }, MPI_CHAR, 0, 1, MPI_COMM_WORLD)' variables.c -o slice
exit 0
says ^variables.c:10: commslice warning: the order of addresses
END
done
cat >records.c <<'END'
#include <mpi.h>
#include <stdlib.h>
struct link { struct link *next; void (*go)(void); };
struct pair { double value; unsigned long limit; };
static void one(void) {}
static void two(void) {}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    void *record[4];
    for (int i = 0; i < 4; i++)
        record[i] = malloc(sizeof(struct pair));
    struct link *l = record[0], *k = record[1];
    struct pair *p = record[2], *q = record[3];
    *l = (struct link){k, argc > 1 ? one : two};
    *k = (struct link){l, two};
    *p = (struct pair){argc + 0.5, argc};
    *q = (struct pair){argc + 1.5, 7 - argc};
    l->next->go();
    MPI_Send(argv, ASK, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
for ask in 'p->value * q->value * argc' 'p->value < q->value'; do
    input_case "what is no address decides a count, in memory that may hold addresses: $ask" <<END
run slicing -O1 '-DASK=$ask' records.c -o slice
exit 0
silent warning
END
done
cat >both_ways.c <<'END'
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
struct node { int n; uintptr_t link; };
static uintptr_t step(uintptr_t from, const struct node *at) { return at->link ^ from; }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct node *first = NULL, *last = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *x = malloc(sizeof *x);
        *x = (struct node){i + argc, (uintptr_t)last};
        if (last)
            last->link ^= (uintptr_t)x;
        else
            first = x;
        last = x;
    }
    uintptr_t from = 0;
    for (struct node *at = first; at; ) {
        struct node *next = (struct node *)step(from, at);
        from = (uintptr_t)at;
        MPI_Send(argv, ASK, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        at = next;
    }
    return MPI_Finalize();
}
END
input_case 'a list whose links to both sides are one word' <<'END'
run slicing -O2 '-DASK=at->n' both_ways.c -o slice
exit 0
silent warning
END
input_case 'a number made of such a link decides a count' <<'END'
run slicing -O2 '-DASK=from % argc' both_ways.c -o slice
exit 0
says commslice warning: the order of addresses
END
cat >truename.cpp <<'END'
#include <mpi.h>
#include <sstream>
#include <locale>
struct grp : std::numpunct<char> { std::string do_truename() const override { return "yes!"; } };
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::ostringstream o;
    o.imbue(std::locale(std::locale(), new grp));
    o << std::boolalpha << true;
    MPI_Send(argv[0], o.str().size(), MPI_CHAR, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
    MPI_Finalize();
}
END
input_case 'flags of 32 bits in memory that may hold addresses decide a count' <<'END'
run "$MPICXX" -g -O0 -fplugin="$PLUGIN" truename.cpp -o slice
exit 0
silent warning
END
cat >quadtree.f90 <<'END'
module t
  implicit none
  type :: leaf
    integer :: level = 0
  end type
  type :: quad
    type(leaf), pointer :: l => null()
    type(quad), pointer :: c(:,:) => null()
  end type
contains
  recursive subroutine refine(q, lev)
    type(quad), intent(inout) :: q
    integer, intent(in) :: lev
    integer :: i, j
    if (lev < 3) then
      allocate(q%c(0:1, 0:1))
      do j = 0, 1; do i = 0, 1
        call refine(q%c(i, j), lev + 1 + i)
      end do; end do
    else
      allocate(q%l); q%l%level = lev
    end if
  end subroutine
  recursive integer function total(q) result(s)
    type(quad), intent(in) :: q
    integer :: i, j
    s = 0
    if (associated(q%l)) then
      s = q%l%level
    else
      do j = 0, 1; do i = 0, 1; s = s + total(q%c(i, j)); end do; end do
    end if
  end function
end module
program main
  use mpi
  use t
  implicit none
  type(quad) :: root
  integer :: ierr, b(1000)
  call MPI_Init(ierr)
  call refine(root, 0)
  call MPI_Send(b, total(root), MPI_INTEGER, MPI_PROC_NULL, 7, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
END
input_case 'bounds of arrays in memory that may hold addresses decide a count' <<'END'
run "$MPIFORT" -g -O0 -fplugin="$PLUGIN" quadtree.f90 -o slice
exit 0
silent warning
END
cat >types.cpp <<'END'
#include <map>
#include <mpi.h>
#include <typeindex>
#ifdef LOCAL
namespace {
#endif
struct base { virtual ~base() {} };
struct left : base {};
struct right : base {};
#ifdef LOCAL
}
#endif
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::map<std::type_index, int> width{{typeid(base), 2}, {typeid(left), 3}, {typeid(right), 5}};
    left l;
    right r;
    base *b[] = {&l, &r};
    MPI_Send(b, width.at(typeid(*b[argc % 2])), MPI_CHAR, 0, 1, MPI_COMM_SELF);
    MPI_Finalize();
}
END
input_case 'the order of types that go by their names decides a count' <<'END'
run "$MPICXX" -O1 -fplugin="$PLUGIN" types.cpp -o slice
exit 0
silent warning
END
input_case 'the order of types that each source has for itself decides a count' <<'END'
run "$MPICXX" -O1 -g -DLOCAL -fplugin="$PLUGIN" types.cpp -o slice
exit 0
says commslice warning: the order of addresses
END
cat >two_places.c <<'END'
#include <mpi.h>
#include <stdlib.h>
struct pair { int x, y; };
static struct pair a, b;
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct pair *c = calloc(argc, sizeof *c), *d = calloc(argc, sizeof *d);
    struct pair *first[] = {&a, c}, *second[] = {&b, d};
    for (int i = 0; i < 2; i++) {
        int *p = argc > 1 ? &first[i]->x : &first[i]->y, *q = argc > 2 ? &second[i]->x : &second[i]->y;
        for (int *from = &a.x; from < &a.y + 1; from++)
            MPI_Send(argv, *from, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        MPI_Send(argv, ASK, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
    return MPI_Finalize();
}
END
input_case 'two variables, each at one of its places' <<'END'
run slicing -O2 '-DASK=p < q' two_places.c -o slice
exit 0
says ^two_places.c:14: commslice warning: the order of addresses
END
input_case 'pointers that move through variables' <<'END'
run slicing -O2 '-DASK=*p < *q' two_places.c -o slice
exit 0
silent warning
END
cat >names.cpp <<'END'
#include <map>
#include <mpi.h>
#include <typeinfo>
struct base { virtual double weight() { return 1; } };
struct other : base { double weight() override { return 2; } };
struct third : base { double weight() override { return 3; } };
static double data[9];
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    other o;
    third t;
    base *of[] = {&o, &t};
    data[0] = of[argc % 2]->weight() + of[(argc + 1) % 2]->weight();
    std::map<const char *, int> width{{typeid(other).name(), 3}, {typeid(third).name(), 5}};
    for (auto &w : width)
        MPI_Send(data, w.second, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
    MPI_Finalize();
}
END
input_case 'the program compares where the names of types are' <<'END'
run "$MPICXX" -O1 -g -fplugin="$PLUGIN" names.cpp -o slice
exit 0
says commslice warning: the order of addresses
END
input_case 'the end of one of several arrays decides a count' <<'END'
run slicing -O1 -w '-DASK=MPI_Send(argv, sum(v, v + argc + 2) + sum(w, w + argc), MPI_CHAR, 0, 1, MPI_COMM_WORLD)' variables.c -o slice
exit 0
silent warning
END

input_case 'the size that malloc has really given decides a count' <<'END'
run slicing -DASK='n = malloc_usable_size(a) % 9' process.c -o slice
exit 1
says ^process.c:17: commslice error: what the library tells about the memory
END

cat >sizes.f90 <<'END'
program sizes
  use mpi
  integer :: ierr, n
  real(8) :: x
  call MPI_Init(ierr)
  call MPI_Sizeof(x, n, ierr)
  call MPI_Send(x, n, MPI_BYTE, 0, 1, MPI_COMM_SELF, ierr)
  call MPI_Finalize(ierr)
end program sizes
END
input_case 'MPI_Sizeof decides a count' <<'END'
run "$MPIFORT" -O2 -fplugin="$PLUGIN" sizes.f90 -o slice
exit 0
silent warning
END

cat >checked.cpp <<'END'
#include <mpi.h>
#include <vector>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::vector<int> v(argc + 3, argc);
    MPI_Send(v.data(), v[argc], MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Finalize();
}
END
input_case 'assertions of the C++ library' <<'END'
run "$MPICXX" -O1 -D_GLIBCXX_ASSERTIONS -fplugin="$PLUGIN" checked.cpp -o slice
exit 0
silent warning
END

input_case 'from where a function was called decides a count' <<'END'
run slicing -DASK='n = __builtin_return_address(0) != (void *)a' process.c -o slice
exit 0
says ^process.c:17: commslice warning: where in the program's code a call was made
END

cat >deque.cpp <<'END'
#include <mpi.h>
#include <deque>
static char data[100];
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::deque<int> work;
    for (int i = 0; i < 3 * argc; i++)
        work.push_back(i);
    work.insert(work.end(), 2, argc);
    work.pop_back();
    MPI_Bcast(data, (int)work.size(), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
END
input_case 'differences of pointers, which are in one array, decide a count' <<'END'
run "$MPICXX" -g -O1 -fplugin="$PLUGIN" deque.cpp -o slice
exit 0
silent warning
END

cat >owners.cpp <<'END'
#include <mpi.h>
#include <set>
struct owner { int n; };
static char data[200];
static void fill(std::set<owner *> &s, int n)
{
    for (int i = 0; i < n; i++)
        s.insert(new owner{i});
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::set<owner *> s;
    fill(s, argc + 3);
    MPI_Bcast(data, (*s.begin())->n + 1, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
END
for level in 0 2; do
    input_case "a warning about what a header of the library does names the line of the program, at -O$level" <<END
run "$MPICXX" -g -O$level -fplugin="$PLUGIN" owners.cpp -o slice
exit 0
says ^owners.cpp:8: commslice warning: the order of addresses
silent ^stl_
and "$COMMSLICE" advise slice
END
done

cat >events.cpp <<'END'
#include <mpi.h>
#include <functional>
#include <list>
#include <map>
#include <memory>
struct event { int kind, left; };
struct queue {
    std::map<int, std::function<void(const event &)>> what;
    std::list<std::unique_ptr<event>> sent;
    void send(event e)
    {
        sent.emplace_back(std::make_unique<event>(e));
        MPI_Send(sent.back().get(), sizeof e, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    }
    bool next()
    {
        event e;
        MPI_Recv(&e, sizeof e, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        what.at(e.kind)(e);
        return e.left > 0;
    }
};
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    queue q;
    q.what[1] = [&](const event &e) { if (e.left > 0) q.send({1, e.left - 1}); };
    if (rank == 0) {
        q.send({1, 4});
        while (q.next())
            ;
    }
    MPI_Finalize();
}
END
input_case 'numbers that may be where an address may be are compared' <<'END'
run "$MPICXX" -g -O2 -fplugin="$PLUGIN" events.cpp -o slice
exit 0
silent order of addresses
END

cat >handles.f90 <<'END'
program handles
  use mpi_f08
  type(MPI_Comm) :: c
  type(MPI_Status) :: s
  integer :: n, a(99), b(99), f(MPI_STATUS_SIZE)
  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_SELF, c)
  n = merge(3, 4, c /= MPI_COMM_NULL) + merge(5, 6, MPI_COMM_WORLD == c)
  call MPI_Sendrecv(b, n, MPI_INTEGER, 0, 7, a, 99, MPI_INTEGER, 0, 7, c, s)
  call MPI_Status_f082f(s, f)
  call MPI_Bcast(b, f(MPI_TAG) + n, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Finalize()
end program
END
input_case 'handles of mpi_f08 are compared' <<'END'
run "$MPIFORT" -g -O2 -fplugin="$PLUGIN" handles.f90 -o slice
exit 0
silent warning
and "$MPIFORT" -g -O2 handles.f90 -o orig && record orig.trace ./orig && run_slice slice.trace ./slice && "$COMMSLICE" diff orig.trace slice.trace
END

cat >asks.f90 <<'END'
program asks
  use mpi_f08
  use iso_c_binding
  interface
    integer(c_int) function contiguous(x) bind(C, name='CFI_is_contiguous')
      import
      type(*), dimension(..) :: x
    end function
  end interface
  integer :: n
  real :: values(99), scalar
  character(9) :: text = '7'
  call MPI_Init()
  read (text, *) n
  call MPI_Bcast(values, n + contiguous(scalar), MPI_REAL, 0, MPI_COMM_WORLD)
  call MPI_Finalize()
end program
END
input_case 'mpi_f08 and the program ask libgfortran of descriptors, with checked bounds' <<'END'
run "$MPIFORT" -g -O2 -fcheck=bounds -fplugin="$PLUGIN" asks.f90 -o slice
exit 0
says commslice warning: with -fcheck=bounds, functions such as CFI_is_contiguous
END
input_case 'the same with bounds that are not checked' <<'END'
run "$MPIFORT" -g -O2 -fplugin="$PLUGIN" asks.f90 -o slice
exit 0
silent warning
END

cat >counted_operation.c <<'END'
#include <mpi.h>
static void most(void *in, void *io, int *n, MPI_Datatype *type)
{
    int *a = in, *b = io;
    for (int i = 0; i < *n; i++) {
        int larger = a[i] > b[i] ? a[i] : b[i];
        b[i] = larger;
    }
    (void)type;
}
int main(int argc, char **argv)
{
    int given[2] = {3, 4}, got[2];
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Op_create(most, 1, &op);
    MPI_Allreduce(given, got, 2, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Send(argv, got[0], MPI_CHAR, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
input_case 'an assumption counts how often MPI runs an operation' <<'END'
run slicing "$(opt assume='counted_operation.c:6:larger=pick(iteration,3,4)')" counted_operation.c -o slice
exit 0
says commslice: warning: assumption counted_operation.c:6:larger=.* counts how often the rank comes there
run slicing "$(opt assume=counted_operation.c:6:larger=3)" counted_operation.c -o slice
exit 0
silent counts how often
END

cat >gone.f90 <<'END'
module callbacks
  use mpi
  integer(kind=MPI_ADDRESS_KIND), save :: kept
  integer :: seen = 0
contains
  subroutine copied(comm, key, extra, given, taken, flag, ierr)
    integer :: comm, key, ierr
    integer(kind=MPI_ADDRESS_KIND) :: extra, given, taken
    logical :: flag
    seen = mod(int(extra), 9)
    flag = comm == key
    taken = given
    ierr = 0
  end subroutine
  subroutine make(key, n)
    integer :: key, n, ierr
    integer(kind=MPI_ADDRESS_KIND) :: extra
    extra = n
    kept = n
    call MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, key, STATE, ierr)
  end subroutine
end module
program gone
  use callbacks
  integer :: key, again, ierr, numbers(9) = 0
  call MPI_Init(ierr)
  call make(key, 7)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 1_MPI_ADDRESS_KIND, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, again, ierr)
  call MPI_Bcast(numbers, seen, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
END
for level in 0 2; do
    input_case "a callback at -O$level is given a variable that is gone" <<END
run "\$MPIFORT" -cpp -g -O$level -DSTATE=extra -fplugin="\$PLUGIN" gone.f90 -o slice
exit 0
says ^gone.f90:20: commslice warning: extra_state is a variable of a procedure that may have returned
END
    input_case "a callback at -O$level is given a variable that stays" <<END
run "\$MPIFORT" -cpp -g -O$level -DSTATE=kept -fplugin="\$PLUGIN" gone.f90 -o slice
exit 0
silent extra_state
END
done

cat >operation.c <<'END'
#include <mpi.h>
#include <stdlib.h>
static int calls, *last;
static void most(void *in, void *io, int *n, MPI_Datatype *type)
{
    int *a = in, *b = io, *t = malloc(*n * sizeof *t);
    for (int i = 0; i < *n; i++)
        t[i] = a[i] > b[i] ? a[i] : b[i];
    for (int i = 0; i < *n; i++)
        b[i] = t[i];
    DO;
}
int main(int argc, char **argv)
{
    int n, most_n;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Op_create(most, 1, &op);
    MPI_Comm_rank(MPI_COMM_WORLD, &n);
    MPI_Allreduce(&n, &most_n, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Bcast(argv, most_n + calls + (last ? *last : 0), MPI_CHAR, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
input_case 'an operation of a reduction has memory of its own, which ends with it' <<'END'
run slicing -O2 '-DDO=free(t)' operation.c -o slice
exit 0
silent which order, MPI runs
END

for what in 'free(t), calls++' 'last = t'; do
    input_case "an operation of a reduction leaves something behind: $what" <<END
run slicing -O2 '-DDO=$what' operation.c -o slice
exit 0
says ^operation.c:18: commslice note: communication may depend on how often, and in which order, MPI runs
END
done

cat >reals.c <<'END'
#include <mpi.h>
#include <stdlib.h>
static double field[200];
int main(int argc, char **argv)
{
    double x = argc * 0.3, sum = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++) {
        double product = 3.9 * x;
        x = product - product * x;
        sum += product * i;
    }
    MPI_Bcast(field, DECIDES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    field[0] = sum;
    return MPI_Finalize();
}
END
case $(uname -m) in
    x86_64) fma=-mfma ;;
    *) fma=-O2 ;;
esac

input_case 'a product and a sum that GCC may fuse decide a count' <<END
run slicing -O2 $fma -DDECIDES='(int)(100*x)' reals.c -o slice
exit 0
says ^reals.c:10: commslice warning: .* fuse a product with a sum, .* compile both with -ffp-contract=off
END

input_case 'products and sums that are not fused decide a count' <<END
run slicing -O2 $fma -ffp-contract=off -DDECIDES='(int)(100*x)' reals.c -o slice
exit 0
silent warning
END

input_case 'products and sums that decide nothing may be fused' <<END
run slicing -O2 $fma -DDECIDES=7 reals.c -o slice
exit 0
silent warning
END

cat >partner.c <<'END'
#include <mpi.h>
static char b[100];
int main(int argc, char **argv)
{
    int rank, size, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &n, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(b, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
input_case 'a slice that assumes of two ranks what does not hold there' <<'END'
run slicing "$(opt 'assume=partner.c:10:dest=pick(rank,1,1)')" partner.c -o slice
exit 0
run run_slice slice.trace ./slice
exit 2
says ^commslice run: the slice assumes partner.c:10:dest=pick.rank,1,1.: where that does not hold on 2 ranks
END
input_case 'a slice that assumes of two ranks what holds there' <<'END'
run slicing "$(opt 'assume=partner.c:10:dest=pick(rank,1,0)')" partner.c -o slice
exit 0
run run_slice slice.trace ./slice
exit 0
silent assumes
END

cat >roots.c <<'END'
#include <mpi.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static char data[64];
static double given = 3375;
static double root(double x) { return cbrt(x); }
static double times(double x, int n) { return __builtin_powi(x, n); }
static int known(int n) { return __builtin_constant_p(n) ? 3 : 5; }
static int lowest(double x) { uint64_t u; memcpy(&u, &x, 8); return u & 15; }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 7 ? atoi(argv[7]) : 10;
    MPI_Bcast(data, DECIDES, MPI_CHAR, 0, MPI_COMM_WORLD);
#ifndef ALONE
    data[0] = root(3375) + times(given, n) + known(2);
#endif
    return MPI_Finalize();
}
END
for decides in 'lowest(root(n) + root(argc))' 'lowest(root(3375) + root(argc * 3374.0))'; do
    input_case "a real function of what is a constant on one way alone decides a count: $decides" <<END
run slicing -O2 -DDECIDES='$decides' roots.c -o slice -lm
exit 0
says ^roots.c:8: commslice warning: what cbrt gives .* comes to know the operands, .* compile both with -fno-builtin or -O0
run slicing -O0 -DDECIDES='$decides' roots.c -o slice -lm
silent warning
and same -O0 -DDECIDES='$decides' roots.c -lm
run slicing -O2 -fno-builtin -DDECIDES='$decides' roots.c -o slice -lm
silent warning
and same -O2 -fno-builtin -DDECIDES='$decides' roots.c -lm
END
done

for decides in 'lowest(root(3375))' 'lowest(root(given))' 'lowest(root(3374) + root(3375))'; do
    input_case "what GCC comes to know decides a count, and the slice knows it: $decides" <<END
run slicing -O2 -DDECIDES='$decides' roots.c -o slice -lm
exit 0
silent warning
and same -O2 -DDECIDES='$decides' roots.c -lm
END
done

input_case 'with -flto the link decides what GCC comes to know' <<'END'
run slicing -O2 -flto -DDECIDES='lowest(root(3375))' roots.c -o slice -lm
says ^roots.c:8: commslice warning: what cbrt gives
END

for decides in 'lowest(root(argc * 3.0))' 'n' 'lowest(root(sqrt(argc)))' 'lowest(cbrt(3375))' 'lowest(times(1.1 * argc, 15))'; do
    input_case "a real function of nothing that GCC comes to know, or of what it knows in both, decides a count: $decides" <<END
run slicing -O2 -DALONE -DDECIDES='$decides' roots.c -o slice -lm
exit 0
silent warning
and same -O2 -DALONE -DDECIDES='$decides' roots.c -lm
END
done

for decides in 'lowest(root(argc * 3.0))' 'lowest(times(1.1 * argc, 15))'; do
    input_case "a real function decides a count, and GCC knows what a copy of its call gives that is cut away: $decides" <<END
run slicing -O2 -DDECIDES='$decides' roots.c -o slice -lm
exit 0
says ^roots.c:[89]: commslice warning: what .* gives decides communication, and GCC computes it itself
END
done

cat >powers.c <<'END'
#include <mpi.h>
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static char data[64];
static double root(double x) { return cbrt(x); }
static double power(double x, double n) { return pow(x, n); }
static double complex product(double complex x, double complex y) { return x * y; }
static int lowest(double x) { uint64_t u; memcpy(&u, &x, 8); return u & 15; }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Bcast(data, DECIDES, MPI_CHAR, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
for decides in 'root(8)' 'root(argc > 7 ? atoi(argv[7]) : 64)'; do
    input_case "a real function decides a count that GCC and the library compute alike: $decides" <<END
run slicing -O2 -DDECIDES='lowest($decides)' powers.c -o slice -lm
silent warning
and same -O2 -DDECIDES='lowest($decides)' powers.c -lm
END
done

input_case 'a power with an exponent for which GCC multiplies decides a count' <<'END'
run slicing -O2 -flto -DDECIDES='lowest(power(1.1 * argc, 2))' powers.c -o slice -lm
says ^powers.c:9: commslice warning: what pow gives .* comes to know the exponent, .* compile both with -fno-builtin or -O0
run slicing -O2 -DDECIDES='lowest(power(1.1 * argc, 2))' powers.c -o slice -lm
silent warning
and same -O2 -DDECIDES='lowest(power(1.1 * argc, 2))' powers.c -lm
run slicing -O2 -DDECIDES='lowest(power(1.1 * argc, argc))' powers.c -o slice -lm
silent warning
run slicing -O2 -DDECIDES='lowest(power(1.1 * argc, 3.5))' powers.c -o slice -lm
silent warning
and same -O2 -DDECIDES='lowest(power(1.1 * argc, 3.5))' powers.c -lm
END
input_case 'a complex product that GCC may compute itself decides a count' <<'END'
run slicing -O2 -DDECIDES='lowest(creal(product(1.1 + 2.3 * I, 0.7 - 1.9 * I)))' powers.c -o slice -lm
says ^powers.c:10: commslice warning: what a complex product or quotient gives .* comes to know the operands, .* compile both with -O0
run slicing -O2 -DDECIDES='lowest(creal(product(argc + 2.3 * I, 0.7 - 1.9 * I)))' powers.c -o slice -lm
silent warning
END
input_case 'a real function with -ffast-math decides a count' <<'END'
run slicing -O2 -ffast-math -DDECIDES='(int)power(argc, argc)' powers.c -o slice -lm
says ^powers.c:9: commslice warning: .* with -ffast-math or a part of it
END

input_case 'what GCC knows decides a count' <<'END'
run slicing -O2 -DDECIDES='known(4) + known(argc)' roots.c -o slice -lm
says ^roots.c:10: commslice warning: what GCC knows here \(__builtin_constant_p\) decides communication
END

cat >sines.f90 <<'END'
program sines
  use mpi
  integer :: i, ierr
  real(8) :: a(100), field(200)
  call MPI_Init(ierr)
  do i = 1, 100
    a(i) = cos(2.3d0 * i)
  end do
  field = 0
  call MPI_Bcast(field, int(100 * abs(sum(a))), MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
END

input_case 'a function with variants for vectors decides a count' <<'END'
run "$MPIFORT" -g -O3 -fplugin="$PLUGIN" sines.f90 -o slice
exit 0
says ^sines.f90:7: commslice warning: .* variants for vectors, .* compile both with -fno-tree-vectorize
END

input_case 'a function without variants for vectors decides a count' <<'END'
run "$MPIFORT" -g -O3 -fno-tree-vectorize -fplugin="$PLUGIN" sines.f90 -o slice
exit 0
silent variants
END

# Sine and cosine of one number become one call, of which there is no variant; GCC computes the first ones itself.
cat >angles.f90 <<'END'
program angles
  use mpi
  implicit none
  real(8) :: x(2, 50), field(10000) = 0
  integer :: i, ierr
  call MPI_Init(ierr)
  do i = 1, 50
    x(1, i) = cos(i * 0.1d0)
    x(2, i) = sin(i * 0.1d0)
  end do
  call MPI_Bcast(field, int(100 * abs(sum(x))), MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
END

input_case 'a function with variants for vectors, which the original does not call' <<'END'
run "$MPIFORT" -g -O3 -fplugin="$PLUGIN" angles.f90 -o slice
exit 0
silent commslice warning
and ! nm slice | grep -q _ZGV
END

input_case 'reals that decide a count, with -ffast-math' <<'END'
run slicing -O2 -ffast-math -DDECIDES='(int)(100*x)' reals.c -o slice
exit 0
says ^reals.c:.*: commslice warning: .* -ffast-math
END

cat >only_may.c <<'END'
#include <mpi.h>
#include <stdlib.h>
static void write_all(const char *name)
{
    MPI_Comm c;
    MPI_Comm_connect(name, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &c);
}
int main(int argc, char **argv)
{
    int n = 2;
    MPI_Init(&argc, &argv);
    if (getenv("OUT") != NULL)
        write_all(getenv("OUT"));
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
input_case 'a call that is refused, and that the program only may make: which assumption leaves it out' <<'END'
run slicing only_may.c -o slice
exit 1
says ^only_may.c:6: commslice error: MPI_Comm_connect: .*; the assumption only_may.c:12=never leaves this call out
not slice
END
cat >behind_loop.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Comm c;
    int n = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < argc; i++)
        n += argv[i][0] == 'a';
    MPI_Comm_connect(argv[0], MPI_INFO_NULL, 0, MPI_COMM_WORLD, &c);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
input_case 'a call that is refused behind a loop: nothing is said that makes the loop endless' <<'END'
run slicing behind_loop.c -o slice
exit 1
says ^behind_loop.c:9: commslice error: MPI_Comm_connect
silent the assumption
END
input_case 'a call that is refused, left out by an assumption' <<'END'
run slicing -fplugin-arg-commslice-assume=only_may.c:12=never only_may.c -o slice
exit 0
END

input_case 'a signal handler that decides a count' <<'END'
run DO='signal(SIGUSR1, on_signal); raise(SIGUSR1)'; with slicing refused.c -o slice
exit 1
says ^refused.c:22: commslice error: what a signal handler does decides communication
not slice
END
input_case 'a signal handler that decides a count, set with sigaction' <<'END'
run DO='struct sigaction sa = { .sa_handler = on_signal }; sigaction(SIGUSR1, &sa, NULL); raise(SIGUSR1)'; with slicing refused.c -o slice
exit 1
says ^refused.c:22: commslice error: what a signal handler does decides communication
not slice
END
input_case 'a signal handler that ends the run, set with sigaction' <<'END'
run DO='struct sigaction sa = { .sa_handler = on_signal }; sigaction(SIGALRM, &sa, NULL); alarm(100)'; ON_SIGNAL='MPI_Abort(MPI_COMM_WORLD, 1)'; with built refused.c
exit 0
END
input_case 'a signal handler that ends the run' <<'END'
run DO='signal(SIGALRM, on_signal); alarm(100)'; ON_SIGNAL='MPI_Abort(MPI_COMM_WORLD, 1)'; with built refused.c
exit 0
END
input_case 'an error code that decides a count, its handler set through a pointer' <<'END'
run DO='int (*set)(MPI_Comm, MPI_Errhandler) = argc > 5 ? 0 : MPI_Comm_set_errhandler; set(MPI_COMM_WORLD, MPI_ERRORS_RETURN); rc = MPI_Barrier(MPI_COMM_NULL); if (rc) n = 7'; with slicing refused.c -o slice
exit 1
says ^refused.c:22: commslice error: the error code of this MPI call decides communication
not slice
END
input_case 'an MPI error handler that decides a count' <<'END'
run DO='MPI_Comm_create_errhandler(on_error, &h); MPI_Comm_set_errhandler(MPI_COMM_WORLD, h)'; with slicing refused.c -o slice
exit 1
says ^refused.c:22: commslice error: what this error handler does decides communication
not slice
END
input_case 'an MPI error handler that ends the run' <<'END'
run DO='MPI_Comm_create_errhandler(on_error, &h); MPI_Comm_set_errhandler(MPI_COMM_WORLD, h)'; ON_ERROR='MPI_Abort(*c, 1)'; with built refused.c
exit 0
END
input_case 'an MPI error handler that is called on purpose' <<'END'
run DO='MPI_Comm_call_errhandler(MPI_COMM_WORLD, 1)'; with slicing refused.c -o slice
exit 1
says ^refused.c:22: commslice error: MPI_Comm_call_errhandler: 
not slice
END
input_case 'a call of MPI 4' <<'END'
run DO='static MPI_Request q; MPI_Psend_init(&rc, 1, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_INFO_NULL, &q)'; with slicing refused.c -o slice
exit 1
says ^refused.c:22: commslice error: MPI_Psend_init: this call of MPI 4
not slice
END
input_case 'an error code that decides a count' <<'END'
run DO='MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); rc = MPI_Barrier(MPI_COMM_NULL); if (rc) n = 7'; with slicing refused.c -o slice
exit 1
says ^refused.c:22: commslice error: the error code of this MPI call decides communication
not slice
END
input_case 'an error code that ends the run' <<'END'
run DO='MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); rc = MPI_Barrier(MPI_COMM_WORLD); if (rc) MPI_Abort(MPI_COMM_WORLD, rc)'; with built refused.c
exit 0
END
input_case 'a codecvt of the library' <<'END'
run printf '#include <mpi.h>\n#include <locale>\nint main() {\nchar c[] = "ab"; const char *from; wchar_t w[3], *to; mbstate_t s = {};\nstd::use_facet<std::codecvt<wchar_t, char, mbstate_t>>(std::locale::classic()).in(s, c, c + 2, from, w, w + 3, to);\nMPI_Init(0, 0); MPI_Bcast(c, to - w, MPI_CHAR, 0, MPI_COMM_WORLD); MPI_Finalize(); }\n' >m.cpp; "$MPICXX" -std=c++17 -g -O1 -fplugin="$PLUGIN" m.cpp -o slice
exit 1
says ^m.cpp:5: commslice error: .*what a codecvt of the library stores is not followed
not slice
END
input_case 'a memory resource of the library' <<'END'
run printf '#include <mpi.h>\n#include <memory_resource>\n#include <vector>\nint main() {\nstd::pmr::monotonic_buffer_resource r; std::pmr::vector<int> v(9, &r);\nMPI_Init(0, 0); MPI_Bcast(v.data(), v[3] + 2, MPI_INT, 0, MPI_COMM_WORLD); MPI_Finalize(); }\n' >m.cpp; "$MPICXX" -std=c++17 -g -O1 -fplugin="$PLUGIN" m.cpp -o slice
exit 1
says commslice error: .*the memory resources of the library are not followed
not slice
END
for level in 0 2; do
input_case "an operator new that counts what decides a count, -O$level" <<END
run "$MPICXX" -g -O$level -DSENT=allocations -fplugin="$PLUGIN" counting.cpp -o slice
exit 0
says ^counting.cpp:12: commslice warning: what this operator new does beside giving memory decides communication, .* let no count
and "$COMMSLICE" info slice | grep 'counting.cpp:12: what this operator new does'
END
input_case "an operator new that counts for itself, -O$level" <<END
run "$MPICXX" -g -O$level -DSENT='v[3]' -fplugin="$PLUGIN" counting.cpp -o slice
exit 0
silent warning
and "$MPICXX" -g -O$level -DSENT='v[3]' counting.cpp -o orig && "$COMMSLICE" record --engine emulate -n 2 -o orig.trace ./orig && run_slice slice.trace ./slice && "$COMMSLICE" diff orig.trace slice.trace
END
input_case "a malloc that counts what decides a count, -O$level" <<END
run printf '#include <mpi.h>\nstatic char pool[1 << 24], *at = pool; volatile int calls;\nvoid *malloc(unsigned long n) {\ncalls++; char *p = at; at += (n + 15) / 16 * 16; return p; }\nint main(void) { MPI_Init(0, 0); char *p = malloc(9); p[0] = 1; MPI_Bcast(pool, calls, MPI_CHAR, 0, MPI_COMM_WORLD); MPI_Finalize(); }\n' >m.c; "$MPICC" -g -O$level -fplugin="$PLUGIN" m.c -o slice
exit 0
says ^m.c:3: commslice warning: what this malloc does beside giving memory decides communication
END
done
input_case 'a conversion of printf' <<'END'
run printf '#include <mpi.h>\n#include <printf.h>\nint main(void) {\nregister_printf_specifier(87, 0, 0);\nMPI_Init(0, 0); MPI_Finalize(); }\n' >w.c; "$MPICC" -g -O1 -fplugin="$PLUGIN" w.c -o slice
exit 1
says ^w.c:4: commslice error: register_printf_specifier: conversions of printf
not slice
END
input_case 'a function that the linker wraps' <<'END'
run printf '#include <mpi.h>\nint __real_n(int x);\nint __wrap_n(int x) {\nreturn __real_n(x) + 1; }\n' >wrap.c; printf 'int n(int x) { return x * 2; }\n' >wrapped.c; printf '#include <mpi.h>\nint n(int x);\nint main(void) { MPI_Init(0, 0); MPI_Bcast(0, n(0), MPI_INT, 0, MPI_COMM_WORLD); MPI_Finalize(); }\n' >wrapping.c; "$MPICC" -g -O1 -fplugin="$PLUGIN" wrap.c wrapped.c wrapping.c -Wl,--wrap=n -o slice
exit 1
says ^wrap.c:4: commslice error: __real_n: what the linker wraps
not slice
END
input_case 'a thread' <<'END'
run DO='pthread_create(&t, NULL, thread, NULL)'; with slicing refused.c -o slice
exit 1
says ^refused.c:22: commslice error: pthread_create: threads are not followed
not slice
END
input_case 'a timer with a function' <<'END'
run DO='timer_create(CLOCK_REALTIME, &e, &timer)'; with slicing refused.c -o slice
exit 1
says ^refused.c:22: commslice error: timer_create: timers that run a function
not slice
END
input_case 'a goto out of a nested function' <<'END'
run slicing nested.c -o slice
exit 1
says ^nested.c:[0-9]+: commslice error: .*a goto out of a nested function is not followed
not slice
END
input_case 'OpenMP threads that wait for each other' <<'END'
run with built -fopenmp omp.c
exit 0
END
input_case 'OpenMP threads that may all call MPI' <<'END'
run LEVEL=MPI_THREAD_MULTIPLE; with slicing -fopenmp omp.c -o slice
exit 1
says ^omp.c:11: commslice error: threads that call MPI at the same time are not followed
not slice
END
input_case 'a static link' <<'END'
run slicing -c ring.c && slicing -static ring.o -o slice
exit 1
says ^commslice: -static is given, but commslice run starts a slice with a library
not slice
run slicing -static-pie ring.c -o slice
exit 1
says ^commslice: -static is given, but commslice run starts a slice with a library
not slice
END
finish
