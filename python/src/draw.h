/*
 * What a learner in Python is handed: a source of randomness, for the time of a call, and the arms it lives with.
 */
#ifndef DRAW_H
#define DRAW_H

#include "kit.h"
#include "posse.h"

/* A draw to lend: draw_lend opens it for a call, and closes it again with NULL. */
PyObject *draw_new(void);
void draw_lend(PyObject *self, posse_draw *draw);

/* A copy: a posse may be gone before the learner that remembers its arms. */
PyObject *arms_new(const posse_space *space);

#endif
