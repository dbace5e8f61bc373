/* SPDX-License-Identifier: BSD-3-Clause
 * The environment variables of commslice: each name is written once, here.
 * docs/reference/environment.md tells what they mean; tests/commands/options_test.sh checks that it names all of them.
 */
#ifndef CS_ENVIRONMENT_H
#define CS_ENVIRONMENT_H

/* Set by users: where tools and files are. */
#define CS_ENV_LIBDIR "COMMSLICE_LIBDIR" /* folder of the preloaded libraries */
#define CS_ENV_PLUGIN "COMMSLICE_PLUGIN"
#define CS_ENV_MPICC "COMMSLICE_MPICC"
#define CS_ENV_MPICXX "COMMSLICE_MPICXX"
#define CS_ENV_MPIFORT "COMMSLICE_MPIFORT"
#define CS_ENV_MPIEXEC "COMMSLICE_MPIEXEC"
#define CS_ENV_SMPICC "COMMSLICE_SMPICC"
#define CS_ENV_SMPIRUN "COMMSLICE_SMPIRUN"

/* Set by users: how runs and the plugin behave. */
#define CS_ENV_PATIENCE "COMMSLICE_PATIENCE"   /* seconds without progress until a run counts as hanging; 0: never */
#define CS_ENV_BACKLOG "COMMSLICE_BACKLOG"     /* bytes */
#define CS_ENV_NO_REPEAT "COMMSLICE_NO_REPEAT" /* "1": slices run all turns of their loops */
#define CS_ENV_REPEAT_FROM "COMMSLICE_REPEAT_FROM" /* events that are worth it to run one turn for all */
#define CS_ENV_TURNS_LOG "COMMSLICE_TURNS_LOG"     /* path: of each rank, PATH.RANK says how many turns were recorded */
#define CS_ENV_NO_SERIES "COMMSLICE_NO_SERIES"     /* "1": no process runs several ranks of engine emulate */
#define CS_ENV_DUMP "COMMSLICE_DUMP"               /* if set, the slicer prints what it finds */

/* Set by users: how libcommslice-balance hands out loops. */
#define CS_ENV_BALANCE_TECHNIQUE "COMMSLICE_BALANCE_TECHNIQUE"
#define CS_ENV_BALANCE_WAY "COMMSLICE_BALANCE_WAY"
#define CS_ENV_BALANCE_CHUNK "COMMSLICE_BALANCE_CHUNK"   /* items */
#define CS_ENV_BALANCE_SPEEDS "COMMSLICE_BALANCE_SPEEDS" /* 1,2,1 by rank, or a file with a number a line */
#define CS_ENV_BALANCE_REPORT "COMMSLICE_BALANCE_REPORT" /* "1": a line after each loop */

/* Set by users, for commslice monitor. */
#define CS_ENV_MONITOR "COMMSLICE_MONITOR"         /* "1": a run can be watched; else its name, set by the command */
#define CS_ENV_MONITOR_DIR "COMMSLICE_MONITOR_DIR" /* folder of the files of such runs */
#define CS_ENV_BALANCE_FOLLOW "COMMSLICE_BALANCE_FOLLOW" /* "1": blocks go in parts, which may go to other ranks */

/* Set by the command for the programs that it starts. */
#define CS_ENV_RUNTIME "COMMSLICE_RUNTIME" /* set by the recorder itself; a slice asks for it */
#define CS_ENV_TRACE "COMMSLICE_TRACE"     /* path; without it nothing is recorded */
#define CS_ENV_TIMES "COMMSLICE_TIMES"     /* "1": with times */
#define CS_ENV_ASSUMPTIONS "COMMSLICE_ASSUMPTIONS"

/* The options of engine emulate. */
#define CS_ENV_RANKS "COMMSLICE_RANKS"
#define CS_ENV_JOBS "COMMSLICE_JOBS"
#define CS_ENV_TIMEOUT "COMMSLICE_TIMEOUT"   /* seconds */
#define CS_ENV_MEMORY "COMMSLICE_MEMORY"     /* bytes */
#define CS_ENV_STDOUT "COMMSLICE_STDOUT"     /* "tag": each line with its rank */
#define CS_ENV_PROGRESS "COMMSLICE_PROGRESS" /* "1": show progress */
#define CS_ENV_SHARE "COMMSLICE_SHARE"       /* "K/M": only the ranks of share K of M (base/share.h) */
#define CS_ENV_TAPE "COMMSLICE_TAPE"         /* path: of each rank of the next, PATH.RANK is written */
#define CS_ENV_TAPE_RANKS "COMMSLICE_TAPE_RANKS"
#define CS_ENV_REPLAY "COMMSLICE_REPLAY" /* path of the tape to be played */

#endif
