/* SPDX-License-Identifier: MIT */
/*
 * Learners in Python. To the library they are of the kind "python", whose option `object` is a number; which object
 * that is, the cast knows that is present while a posse is made. The library can copy and free a learner's memory
 * without a word, so the objects are not in there: each learner of a posse has a seat, which belongs to the cast.
 *
 * A posse in Python has a cast of its own, and calls come with Python's lock held. The cast of an experiment is called
 * from the thread that plays it, which takes the lock for each call: experiments with learners in Python play on one
 * thread.
 */
#ifndef CAST_H
#define CAST_H

#include "module_state.h"
#include "posse.h"

typedef struct cast cast;

/* Makes a cast of these instances of Learner, a list. NULL with an exception set. With Python's lock. */
cast *cast_make(PyObject *learners);

/* Frees it, when no posse plays its learners any more. NULL is fine. With Python's lock. */
void cast_free(cast *c);

/* For what the garbage collector wants to know, and to break circles. */
int cast_traverse(cast *c, visitproc visit, void *argument);
void cast_clear(cast *c);

/*
 * From here on, and until cast_leave, what this thread makes is made with this cast; NULL: no learner is in Python. A
 * learner may make a posse of its own meanwhile, so the cast before it comes back: it is what cast_leave has to be
 * given.
 */
cast *cast_enter(cast *c);
void cast_leave(cast *before);

/*
 * The same for all threads, and while calls come without Python's lock. False with an exception: another cast is shared
 * already.
 */
bool cast_share(cast *c);
void cast_unshare(cast *c);

/* Whether a learner has raised an exception, or was told to stop. From any thread. */
bool cast_failed(const cast *c);
void cast_stop(cast *c);

/* Raises what a learner has raised, as it was raised. False: nothing. */
bool cast_raise(cast *c);

/* Adds an instance; returns its number, or -1 with an exception set. */
Py_ssize_t cast_add(cast *c, PyObject *learner);

/* How many numbers there are; the learner that plays under one (borrowed), NULL: none any more. */
Py_ssize_t cast_count(const cast *c);
PyObject *cast_learner(const cast *c, Py_ssize_t number);

/* Lets a learner go that the library has let go. */
void cast_retire(cast *c, Py_ssize_t number);

/* While a saved posse is loaded, the instances themselves play, and are not started: they have been. */
void cast_set_loading(cast *c, bool loading);

#endif
