/*
 * All headers of posse, for those who want one include.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef POSSE_ALL_H
#define POSSE_ALL_H

#include "posse.h"
#include "posse_abreast.h"
#include "posse_device.h"
#include "posse_extend.h"
#include "posse_features.h"
#include "posse_inside.h"
#include "posse_kinds.h"
#include "posse_modes.h"
#include "posse_simulate.h"

#endif
