/* SPDX-License-Identifier: BSD-3-Clause
 * The instance of the class template that link_box.cpp uses. */
#include "link_box.h"

template struct Box<int>;
