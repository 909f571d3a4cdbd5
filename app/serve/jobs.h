/* SPDX-License-Identifier: MIT */
/*
 * Requests whose work is done in pieces, with other requests served in between. They take turns. A request for the
 * posse of another one waits behind it, so that requests for a posse keep their order, and none sees half of another.
 */
#ifndef SERVE_JOBS_H
#define SERVE_JOBS_H

#include "serve/request.h"

typedef struct job {
    arrival came; /* `http` is NULL if nobody waits for an answer */
    request request;
    arrival *behind; /* requests that wait for its posse, in their order */
    size_t behind_count, behind_room;
    struct job *next;
} job;

typedef struct jobs {
    job *first, *last; /* the next one that gets its turn is the first */
} jobs;

/* Takes over a request whose work has begun. False: no memory. */
bool jobs_add(jobs *all, arrival came, const request *r);

/* Lets a request wait behind the job that has a posse. False: no memory. */
bool jobs_wait(jobs *all, const hosted *h, arrival came);

/* Whether one of them has a request to answer. */
bool jobs_answer(const jobs *all);

/* Takes the first one out of the list, which must have one; and puts one at its end. */
job *jobs_take(jobs *all);
void jobs_put(jobs *all, job *j);

/* Does not close its request. */
void job_free(job *j);

/* Frees all of them, unanswered. */
void jobs_end(jobs *all);

#endif
