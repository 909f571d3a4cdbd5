/* SPDX-License-Identifier: MIT */
/*
 * NumPy arrays by the buffer protocol, without NumPy's own C interface: views of memory that another object owns, and
 * new arrays that own their memory.
 */
#ifndef ARRAY_H
#define ARRAY_H

#include "python/src/module_state.h"

#define ARRAY_AXES_MAX 3

/* Numbers of 8 bytes somewhere in memory. */
typedef struct array_shape {
    const void *data;
    char format; /* 'd' a double, 'l' a whole number, 'Q' one without a sign */
    int axes;
    Py_ssize_t sizes[ARRAY_AXES_MAX], strides[ARRAY_AXES_MAX];
} array_shape;

/* A read-only array over memory of `owner`, which lives as long as the array does. */
PyObject *array_over(PyObject *owner, const array_shape *shape);

/* A new array of `count` numbers; *data is where to write them. */
PyObject *array_new(size_t count, char format, void **data);

/* A new array with a copy of `count` numbers. */
PyObject *array_copy(const void *numbers, size_t count, char format);

/*
 * A new array with a copy of rows of doubles, one behind the other. same: there is one row, which stands for all of
 * them.
 */
PyObject *array_rows(const double *numbers, size_t rows, size_t columns, bool same);

#endif
