/* SPDX-License-Identifier: BSD-3-Clause
 * Finds in each rank what a process has at its beginning, says so, and leaves it otherwise: for series_test.sh.
 * -DTOUCH=N adds what cannot be put back: then each rank must have a process of its own, and find the same. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifndef TOUCH
#define TOUCH 0
#endif

static int counter = 7, zero;
static char large[1 << 20];
static __thread int of_thread = 3;
static int *list;
static int rank;
static const char *ends = ""; /* what rank 20 does */

static void at_end(void)
{
    printf("rank %d: at the end %d\n", rank, counter);
    counter = -1;
}

/* The number of the process, without a function that says that it is asked for. */
static long process(void)
{
    long n = 39; /* getpid */
    __asm__ volatile("syscall" : "+a"(n) : : "rcx", "r11", "memory");
    return n;
}

static void memory(void)
{
    char words[] = "one two three", *block = malloc(100000), *big = malloc(50 << 20);
    printf("rank %d: %d %d %d %d %d %d\n", rank, counter, zero, large[rank * 5000], of_thread, list != NULL,
           errno == ENOENT);
    printf("rank %d: rand %d %d, variable %s\n", rank, rand(), (int)(drand48() * 1000), getenv("LEFT"));
    srand((unsigned)rank + 5);
    srand48(rank);
    setenv("LEFT", "behind", 1);
    counter += rank;
    zero = of_thread = rank;
    memset(large, 1, sizeof large);
    list = malloc(sizeof *list); /* and is never freed */
    errno = ENOENT;
    block[5] = big[40 << 20] = 1;
    if (rank % 2)
        free(block);
    if (rank % 3 == 0)
        free(big);
    strtok(words, " ");
    setvbuf(stdout, NULL, rank % 2 ? _IOLBF : _IOFBF, 4096);
    atexit(at_end);
}

static void files(void)
{
    FILE *f = fopen("/dev/null", "r");
    int fd = open("/dev/zero", O_RDONLY);
    printf("rank %d: descriptors %d %d, input %d\n", rank, f ? fileno(f) : -1, fd, rank ? getchar() : EOF);
    if (f && rank % 2)
        fclose(f);
    if (rank == 9 && strcmp(ends, "process") != 0) /* no process goes on after that */
        fclose(stdin);
}

static void registers(void)
{
    volatile double three = 3, third = 1 / three;
    printf("rank %d: %.20f %d\n", rank, third, fetestexcept(FE_DIVBYZERO) != 0);
    fesetround(FE_UPWARD);
    feraiseexcept(FE_DIVBYZERO);
}

#if TOUCH == 1
static void on_usr1(int sig)
{
    (void)sig;
}

static void touch(void)
{
    struct sigaction old;
    sigaction(SIGUSR1, NULL, &old);
    printf("rank %d: handler %d\n", rank, old.sa_handler != SIG_DFL);
    signal(SIGUSR1, on_usr1);
}
#elif TOUCH == 2
static void touch(void)
{
    char here[4096];
    printf("rank %d: root %d\n", rank, getcwd(here, sizeof here) && strcmp(here, "/") == 0);
    if (chdir("/"))
        exit(1);
}
#elif TOUCH == 3
static void touch(void)
{
    char *at = (char *)0x200000000000;
    char *p = mmap(at, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("rank %d: free %d\n", rank, p == at);
}
#elif TOUCH == 4
static void *thread(void *p)
{
    (void)p;
    pause();
    return NULL;
}

static void touch(void)
{
    pthread_t t;
    printf("rank %d: thread %d\n", rank, pthread_create(&t, NULL, thread, NULL));
}
#elif TOUCH == 5
static void touch(void)
{
    struct itimerval t;
    getitimer(ITIMER_REAL, &t);
    printf("rank %d: timer %d\n", rank, t.it_value.tv_sec > 0);
    alarm(100);
    printf("rank %d: mask %o\n", rank, umask(077));
}
#elif TOUCH == 6
static void touch(void)
{
    printf("rank %d: child %d\n", rank, system("exit 3") >> 8);
}
#elif TOUCH == 7
static void touch(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    printf("rank %d: time %d\n", rank, t.tv_nsec >= 0);
}
#else
static void touch(void)
{
}
#endif

/* Most of the 8 MB of stack that there are. */
static int deep(void)
{
    volatile char block[7 << 20];
    for (size_t i = sizeof block; i > 0; i -= 1024)
        block[i - 1024] = (char)rank;
    return block[0];
}

int main(int argc, char **argv)
{
    ends = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memory();
    files();
    registers();
    touch();
    if (strcmp(ends, "process") == 0)
        printf("process %d %ld\n", rank, process());
    if (strcmp(ends, "deep") == 0)
        printf("rank %d: deep %d\n", rank, deep());
    fflush(stdout);
    if (rank == 20 && strcmp(ends, "crash") == 0)
        __builtin_trap();
    if (rank == 20 && strcmp(ends, "leave") == 0)
        exit(0);
    if (rank == 20 && strcmp(ends, "wait") == 0)
        MPI_Recv(&zero, 1, MPI_INT, 39, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 39 && strcmp(ends, "wait") == 0)
        MPI_Send(&zero, 1, MPI_INT, 20, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return rank == 20 && strcmp(ends, "fail") == 0 ? 5 : 0;
}
