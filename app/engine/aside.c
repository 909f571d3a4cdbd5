/* SPDX-License-Identifier: MIT */
#include "engine/aside.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct aside {
    pthread_t thread;
    pthread_mutex_t lock;  /* guards all that follows, and whether tasks are done */
    pthread_cond_t posted; /* there is a task, or the thread is to end */
    pthread_cond_t done;
    aside_task *first, *last;
    bool ended;
};

/* Waits for a task and takes it. NULL: there is none left, and the thread is to end. */
static aside_task *aside_take(aside *a) {
    while (a->first == NULL && !a->ended) pthread_cond_wait(&a->posted, &a->lock);
    aside_task *t = a->first;
    if (t != NULL) a->first = t->next;
    if (a->first == NULL) a->last = NULL;
    return t;
}

static void *aside_work(void *context) {
    aside *a = context;
    pthread_mutex_lock(&a->lock);
    for (aside_task *t = aside_take(a); t != NULL; t = aside_take(a)) {
        bool frees = t->frees;
        pthread_mutex_unlock(&a->lock);
        t->run(t->context);
        pthread_mutex_lock(&a->lock);
        if (!frees) t->done = true;
        pthread_cond_broadcast(&a->done);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Signals are for the thread that serves. */
static bool aside_start(aside *a) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&a->thread, NULL, aside_work, a) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

aside *aside_make(void) {
    aside *a = calloc(1, sizeof *a);
    if (a == NULL) return NULL;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->posted, NULL);
    pthread_cond_init(&a->done, NULL);
    if (aside_start(a)) return a;
    free(a);
    return NULL;
}

void aside_end(aside *a) {
    if (a == NULL) return;
    pthread_mutex_lock(&a->lock);
    a->ended = true;
    pthread_cond_signal(&a->posted);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    pthread_cond_destroy(&a->done);
    pthread_cond_destroy(&a->posted);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

void aside_post(aside *a, aside_task *t) {
    bool frees = t->frees;
    t->done = false;
    t->next = NULL;
    if (a == NULL) {
        t->run(t->context);
        if (!frees) t->done = true;
        return;
    }
    pthread_mutex_lock(&a->lock);
    if (a->last != NULL)
        a->last->next = t;
    else
        a->first = t;
    a->last = t;
    pthread_cond_signal(&a->posted);
    pthread_mutex_unlock(&a->lock);
}

bool aside_is_done(aside *a, const aside_task *t) {
    if (a == NULL) return t->done;
    pthread_mutex_lock(&a->lock);
    bool done = t->done;
    pthread_mutex_unlock(&a->lock);
    return done;
}

void aside_wait(aside *a, const aside_task *t) {
    if (a == NULL) return;
    pthread_mutex_lock(&a->lock);
    while (!t->done) pthread_cond_wait(&a->done, &a->lock);
    pthread_mutex_unlock(&a->lock);
}
