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
    PyObject *numbers;  /* a list: for each place the learner's number in the cast, or -1 */
    uint64_t number;    /* identifies this posse: its decisions hold this number */
    uint64_t inherited; /* how many decisions had been made when it was loaded; 0: it was not loaded */
    message_log *log;   /* of the call that is being made; NULL: only the last message is kept, in `told` */
    char told[300];
    char place[60]; /* what that message is about, without its index */
    int index;      /* of that place; -1: it has none */
    PyThread_type_lock lock;
    unsigned long holder; /* the thread that has it */
} application;

/* An application without a posse yet. NULL with an exception set. */
application *application_allocate(void);

/* The host of the application's posse: its log writes to that of the application. */
posse_host application_host(application *a);

/*
 * Lets one call in at a time. Python's lock is not enough, because a learner in Python may release it in the middle of
 * a call. False with an exception set: this thread is inside already.
 */
bool application_enter(application *a);
void application_leave(application *a);

/* The same for a call that only reads. False: this thread is inside already, and may read. */
bool application_enter_to_read(application *a);

/* Whether a call of the library succeeded. If not, an exception is set; that of a learner in Python has priority. */
bool application_made_well(application *a, posse_error error, message_log *log);

/* Ends a call that entered. Returns None, or sets an exception if the call failed. */
PyObject *application_settle(application *a, posse_error error);

#endif
