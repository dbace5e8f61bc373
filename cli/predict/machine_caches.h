/* SPDX-License-Identifier: BSD-3-Clause
 * The caches of a machine, as far as a core can count on them. */
#ifndef CS_MACHINE_CACHES_H
#define CS_MACHINE_CACHES_H

#include "predict/model/observations.h"

/* Gives the observations those of this machine; none if the system does not tell. */
void cs_caches_of_machine(struct cs_observations *o);
/* Gives them those of a list of sizes, "32KiB,512KiB,8MiB", or none of "none". 0, or an exit code after a message. */
int cs_caches_parse(struct cs_observations *o, const char *list);

#endif
