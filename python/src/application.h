/*
 * Posse: the object an application holds.
 */
#ifndef APPLICATION_H
#define APPLICATION_H

#include "kit.h"

/* posse.load. */
PyObject *application_load(PyObject *module, PyObject *data);

#endif
