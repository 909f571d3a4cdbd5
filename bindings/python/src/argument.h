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

/* Whether the argument `arms` is a list of names, and not a number. */
bool argument_are_names(PyObject *arms);

/* Takes the names of arms into def. The list that is returned owns the texts, and both are closed together. NULL with
 * an exception set. */
PyObject *argument_names(PyObject *arms, posse_def *def);
void argument_names_close(PyObject *names, posse_def *def);

/* The text of a name; NULL, without an exception: it cannot be a name. */
const char *argument_name(PyObject *name);

/* The arm with a name, or -1, without an exception. */
int argument_find_arm(const application *a, PyObject *name);

/* The arm with a name, which joins if it may (posse_arm_join). -1 with an exception set. */
int argument_join_arm(application *a, PyObject *name);

/* An arm, or a point where every point of the ball may be played. */
typedef struct argument_play {
    int arm;
    const double *point; /* NULL: it is an arm */
    Py_buffer buffer;    /* of the point */
} argument_play;

/* Takes what was played, to be closed. False with an exception set: then there is nothing to close. */
bool argument_play_open(argument_play *play, application *a, PyObject *value);
void argument_play_close(argument_play *play);

#endif
