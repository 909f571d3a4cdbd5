/* SPDX-License-Identifier: MIT */
/*
 * What can be seen of a posse: its properties.
 */
#ifndef INSIDE_H
#define INSIDE_H

#include "application.h"

extern PyGetSetDef inside_properties[];

#endif
