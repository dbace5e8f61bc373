/* SPDX-License-Identifier: BSD-3-Clause
 * What holds in every merged form, as nest.h says it, in one question for assertions. */
#ifndef CS_NEST_SOUND_H
#define CS_NEST_SOUND_H

#include <stdbool.h>

#include "trace/nest/nest.h"

/* Does all hold that nest.h says of classes, records, symbols, the nest and its times? Takes time in proportion to m.
 */
bool cs_merged_is_sound(const struct cs_merged *m);

#endif
