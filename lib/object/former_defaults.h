/* SPDX-License-Identifier: MIT */
/*
 * Defaults of earlier versions. A posse keeps the defaults that it was made with. Today it saves them
 * (POSSE_PARAM_KEPT); where a saved description has none, it was saved before they were kept.
 */
#ifndef POSSE_OBJECT_FORMER_DEFAULTS_H
#define POSSE_OBJECT_FORMER_DEFAULTS_H

#include "model/part.h"

/* The description of a saved part, with the defaults that it had. It points into the one that is given. */
posse_part former_defaults_in(posse_family family, const posse_part *saved, const posse_part *prior);

#endif
