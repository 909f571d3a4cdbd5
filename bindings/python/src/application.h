/* SPDX-License-Identifier: MIT */
/*
 * Posse: the object an application holds.
 */
#ifndef APPLICATION_H
#define APPLICATION_H

#include "python/src/cast.h"
#include "python/src/errors.h"
#include "python/src/module_state.h"

typedef struct application {
    PyObject head;
    posse *posse;
    cast *cast;         /* NULL: no learner is in Python */
    PyObject *numbers;  /* a list: of each place its number in the cast, or -1 */
    uint64_t number;    /* its own: decisions know by it who made them */
    uint64_t inherited; /* how many decisions had been made when it was loaded; 0: it was not */
    message_log *log;   /* of the call that is being made; NULL: only the last message is kept, in `told` */
    char told[300];
    char place[60]; /* what that message is about, without its index; -1: it has none */
    int index;
    PyThread_type_lock lock;
    unsigned long holder; /* the thread that has it */
} application;

/* An application without a posse yet. NULL with an exception set. */
application *application_allocate(void);

/* What a posse of the application borrows: a log that writes to the application's. */
posse_host application_host(application *a);

/*
 * One call at a time gets in. Python's lock is not enough: a learner in Python may let it go in the middle of a call.
 * False with an exception set: this thread is inside already.
 */
bool application_enter(application *a);
void application_leave(application *a);

/* Whether a call of the library went well. If not, an exception is set; one of a learner in Python goes first. */
bool application_made_well(application *a, posse_error error, message_log *log);

/* Ends a call that entered: None, or an exception if it did not go well. */
PyObject *application_settle(application *a, posse_error error);

#endif
