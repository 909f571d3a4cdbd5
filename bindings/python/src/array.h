/* SPDX-License-Identifier: MIT */
/*
 * NumPy arrays by the buffer protocol, without NumPy's own C interface: views of memory that another object owns, new
 * arrays that own their memory, and numbers that were given.
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

/* Borrows the object's own contiguous memory of one of these formats. False without an exception: it has none. */
bool array_borrow(PyObject *value, const char *formats, Py_buffer *out);

/* The same of an array that was made for it, which is released. NULL, or another format: false with an exception set.
 */
bool array_borrow_from(PyObject *array, const char *formats, Py_buffer *out);

/* Calls a function of posse.contexts for a value that is no contiguous array of the right type. name may be NULL. */
PyObject *array_convert(const char *function, PyObject *value, const char *name);

/* Calls such a function of an array that may have a mask, which refuses it. False with an exception set. */
bool array_check(const char *function, PyObject *value, const char *name);

/* The numbers of an array or a list, to be released, such as a point. False with an exception set, as with masks. */
bool array_take_reals(PyObject *value, const char *name, Py_buffer *out);

#endif
