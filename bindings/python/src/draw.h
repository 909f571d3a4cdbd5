/* SPDX-License-Identifier: MIT */
/*
 * The source of randomness that a learner in Python gets for the time of a call.
 */
#ifndef DRAW_H
#define DRAW_H

#include "posse_extend.h"
#include "python/src/module_state.h"

/* A draw to lend: draw_lend opens it for a call, and closes it again with NULL. */
PyObject *draw_new(void);
void draw_lend(PyObject *self, posse_draw *draw);

#endif
