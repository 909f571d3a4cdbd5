/* SPDX-License-Identifier: MIT */
/*
 * Learners in Python, and what environments in Python share with them. To the library they are of the kind "python",
 * whose option `object` is a number. The cast that is entered while the posse is made has the object of that number.
 * The library copies and frees the memory of learners without notice, so the objects are not kept there. Instead, each
 * learner of a posse has a seat, which belongs to the cast.
 *
 * A posse in Python has a cast of its own, which is called with Python's lock held. The cast of an experiment is called
 * from the thread that plays it, without the lock, and takes it for each call. Experiments with objects in Python play
 * on one thread.
 */
#ifndef CAST_H
#define CAST_H

#include "posse.h"
#include "posse_extend.h"
#include "python/src/module_state.h"

typedef struct cast cast;

/* Makes a cast of these instances of Learner and Bandit, a list. NULL with an exception set. With Python's lock. */
cast *cast_make(PyObject *learners);

/* Frees it, when no posse plays its learners any more. NULL is fine. With Python's lock. */
void cast_free(cast *c);

/* For the garbage collector: visits all objects that the cast holds, and releases them to break a cycle. */
int cast_traverse(cast *c, visitproc visit, void *argument);
void cast_clear(cast *c);

/*
 * From cast_enter to cast_leave, posses that this thread makes take their learners in Python from this cast (NULL:
 * there are none). A learner may make a posse of its own meanwhile, so cast_enter returns the cast that was entered
 * before, which cast_leave takes.
 */
cast *cast_enter(cast *c);
void cast_leave(cast *before);

/*
 * The same for all threads, from cast_share to cast_unshare; calls then come without Python's lock. False with an
 * exception: another cast is shared already.
 */
bool cast_share(cast *c);
void cast_unshare(cast *c);

/* Whether a learner has raised an exception, or cast_stop was called. From any thread. */
bool cast_failed(const cast *c);
void cast_stop(cast *c);

/* Raises the exception that a learner has raised, unchanged. False: there is none. */
bool cast_raise(cast *c);

/* Adds an instance; returns its number, or -1 with an exception set. */
Py_ssize_t cast_add(cast *c, PyObject *learner);

/* How many numbers were assigned; the learner that plays under a number (borrowed), or NULL if it was retired. */
Py_ssize_t cast_count(const cast *c);
PyObject *cast_learner(const cast *c, Py_ssize_t number);

/* Releases a learner that the library has retired. */
void cast_retire(cast *c, Py_ssize_t number);

/* While a saved posse is loaded, the instances themselves play; they were started before they were saved. */
void cast_set_loading(cast *c, bool loading);

/* While the library estimates propensities, `act` is called on a copy of the learner, whose changes are dropped. */
void cast_set_rehearsing(cast *c, bool rehearsing);

/* --- for stages (stage.h) --- */

/* The cast that is entered or shared; NULL: none. */
cast *cast_present(void);

/* The parameters of a kind in Python, and the option that has the number of its object. */
enum { CAST_OBJECT };
extern const posse_param cast_params[];

/* Around everything that touches an object. */
void cast_take_lock(cast *c);
void cast_drop_lock(cast *c);

/* Keeps the exception that is set, to be raised by cast_raise, if it is the first one. */
void cast_keep_exception(cast *c);

/*
 * The object of that number (borrowed), which must be an instance of a class of the package. NULL: it is another one;
 * or with an exception set.
 */
PyObject *cast_object(const cast *c, Py_ssize_t number, const char *from, const char *name);

/* Keeps an object as long as the cast. False with an exception set. */
bool cast_keep(cast *c, PyObject *thing);

/* The draw to lend (borrowed). */
PyObject *cast_draw(const cast *c);

#endif
