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
 * _read_vw(text): reads bytes, and returns (arms, dim, context, rounds), where a round is (Context, arm, reward,
 * probability), or (line, column, message) if the text is wrong.
 */
PyObject *logged_read(PyObject *self, PyObject *text);

/*
 * _write_vw(path, arms, dim, context, rounds): a round is (points, shared, arms, arm, reward, probability), with arrays
 * that have the right sizes, or None. Returns None, or (number of the round, reason) if the format cannot hold a round.
 */
PyObject *logged_write(PyObject *self, PyObject *arguments);

#endif
