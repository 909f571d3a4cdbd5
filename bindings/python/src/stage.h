/* SPDX-License-Identifier: MIT */
/*
 * Environments in Python. To the library they are of the kind "python", of "python-moving" if mean rewards change, or
 * of "python-rounds" if rounds have features. Their option `object` is a number among the objects of a cast (cast.h).
 * What belongs to one of them is a stage, which the cast keeps. Each instance is a fresh copy of the object.
 */
#ifndef STAGE_H
#define STAGE_H

#include "posse.h"

/* Registers the kinds, once. */
posse_error stage_register_kinds(void);

#endif
