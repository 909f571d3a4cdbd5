/* SPDX-License-Identifier: MIT */
#include "serve/jobs.h"

#include <stdlib.h>

bool jobs_add(jobs *all, arrival came, const request *r) {
    job *j = calloc(1, sizeof *j);
    if (j == NULL) return false;
    j->came = came;
    j->request = *r;
    jobs_put(all, j);
    return true;
}

bool jobs_wait(jobs *all, const hosted *h, arrival came) {
    job *j = all->first;
    while (j != NULL && j->request.hosted != h) j = j->next;
    if (j == NULL) return false;
    if (j->behind_count == j->behind_room) {
        size_t room = 2 * j->behind_room + 8;
        arrival *larger = realloc(j->behind, room * sizeof *larger);
        if (larger == NULL) return false;
        j->behind = larger;
        j->behind_room = room;
    }
    j->behind[j->behind_count++] = came;
    return true;
}

bool jobs_answer(const jobs *all) {
    const job *j = all->first;
    while (j != NULL && j->came.http == NULL && j->behind_count == 0) j = j->next;
    return j != NULL;
}

job *jobs_take(jobs *all) {
    job *j = all->first;
    all->first = j->next;
    if (all->first == NULL) all->last = NULL;
    j->next = NULL;
    return j;
}

void jobs_put(jobs *all, job *j) {
    if (all->last != NULL)
        all->last->next = j;
    else
        all->first = j;
    all->last = j;
}

void job_free(job *j) {
    free(j->behind);
    free(j);
}

void jobs_end(jobs *all) {
    while (all->first != NULL) {
        job *j = jobs_take(all);
        request_close(&j->request);
        job_free(j);
    }
}
