/* SPDX-License-Identifier: MIT */
/*
 * Logs in Vowpal Wabbit's format, read and written by the library's own reader and writer.
 */
#ifndef LOGGED_H
#define LOGGED_H

#include "python/src/module_state.h"

/*
 * Functions of the module, which posse.logs calls.
 *
 * _read_vw(text): (arms, dim, context, rounds) of bytes, a round being (Context, arm, reward, probability); or (line,
 * column, what is wrong).
 */
PyObject *logged_read(PyObject *self, PyObject *text);

/*
 * _write_vw(path, arms, dim, context, rounds): a round is (points, shared, arms, arm, reward, probability), with arrays
 * that have the right sizes, or None. None, or what the format cannot hold: (number of the round, why).
 */
PyObject *logged_write(PyObject *self, PyObject *arguments);

#endif
