/* SPDX-License-Identifier: MIT */
/*
 * Converts arguments of calls from Python to C: whole numbers, points, and arms or points that were played.
 */
#ifndef ARGUMENT_H
#define ARGUMENT_H

#include "python/src/application.h"

/*
 * A whole number; *out stays as it is where the value is NULL. Whole numbers are not left to PyArg_Parse, which would
 * cut or wrap a number that is too large. False with an exception set.
 */
bool argument_whole(const char *name, PyObject *value, uint64_t least, uint64_t most, uint64_t *out);

/*
 * Takes the points of def from an array, arms x dim, which also sets arms and dim. The buffer holds the points and is
 * to be released. False with an exception set.
 */
bool argument_points(PyObject *points, Py_buffer *buffer, posse_def *def);

/* An arm, or a point where every point of the ball may be played. */
typedef struct argument_play {
    int arm;
    const double *point; /* NULL: it is an arm */
    Py_buffer buffer;    /* of the point */
} argument_play;

/* Takes what was played, to be closed. False with an exception set: then there is nothing to close. */
bool argument_play_open(argument_play *play, const application *a, PyObject *value);
void argument_play_close(argument_play *play);

#endif
