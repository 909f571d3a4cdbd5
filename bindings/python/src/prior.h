/* SPDX-License-Identifier: MIT */
/*
 * Priors from files and from data, as the dicts that describe them.
 */
#ifndef PRIOR_H
#define PRIOR_H

#include "python/src/module_state.h"

/* _read_prior(path) and _fit_prior(path, kind, components, noise, seed, plays, task, arm, reward). */
PyObject *prior_read(PyObject *self, PyObject *path);
PyObject *prior_fit(PyObject *self, PyObject *arguments);

#endif
