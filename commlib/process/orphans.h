/* SPDX-License-Identifier: BSD-3-Clause
 * What a run may leave behind: processes whose parent has died. Who adopts them can end them.
 * For the command and for the parent of emulated ranks; uses nothing else of this folder. */
#ifndef CS_ORPHANS_H
#define CS_ORPHANS_H

#include <signal.h>

/* What a rank gets when its parent is gone: a signal that programs do not use, so that it ends them, and the recorder
 * writes first what it has. */
#define CS_ORPHANED (SIGRTMAX - 7)

/* From now on descendants of this process that lose their parent become its children, not init's. 0, or -1 with errno.
 */
int cs_orphans_adopt(void);

/* Waits for all children that are left, and kills those that do not go within the grace time. Without children it
 * returns at once. Gives up after some seconds. Returns how many had to be killed. */
int cs_orphans_end(int grace_ms);

#endif
