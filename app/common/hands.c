/* SPDX-License-Identifier: MIT */
#include "common/hands.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct hands {
    pthread_t *threads;
    int thread_count;

    pthread_mutex_t lock; /* guards all that follows */
    pthread_cond_t begun; /* there are new tasks, or the threads are to end */
    pthread_cond_t done;  /* the last task was finished */
    hands_task *task;
    void *context;
    size_t next, count; /* tasks that have been started, and all of them */
    size_t unfinished;
    bool ended;
};

/* Does tasks until all have been started. The lock is held before and after. */
static void do_tasks(hands *h) {
    while (h->next < h->count) {
        hands_task *task = h->task;
        void *context = h->context;
        size_t index = h->next++;
        pthread_mutex_unlock(&h->lock);
        task(context, index);
        pthread_mutex_lock(&h->lock);
        if (--h->unfinished == 0) pthread_cond_signal(&h->done);
    }
}

static void *hands_work(void *context) {
    hands *h = context;
    pthread_mutex_lock(&h->lock);
    while (!h->ended) {
        do_tasks(h);
        if (!h->ended) pthread_cond_wait(&h->begun, &h->lock);
    }
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

hands *hands_make(int threads) {
    hands *h = threads > 0 ? calloc(1, sizeof *h) : NULL;
    if (h == NULL) return NULL;
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->begun, NULL);
    pthread_cond_init(&h->done, NULL);
    h->threads = calloc((size_t)threads, sizeof *h->threads);
    while (h->threads != NULL && h->thread_count < threads &&
           pthread_create(&h->threads[h->thread_count], NULL, hands_work, h) == 0)
        h->thread_count++;
    if (h->thread_count > 0) return h;
    hands_free(h);
    return NULL;
}

void hands_free(hands *h) {
    if (h == NULL) return;
    pthread_mutex_lock(&h->lock);
    h->ended = true;
    pthread_cond_broadcast(&h->begun);
    pthread_mutex_unlock(&h->lock);
    for (int i = 0; i < h->thread_count; i++) pthread_join(h->threads[i], NULL);
    pthread_cond_destroy(&h->done);
    pthread_cond_destroy(&h->begun);
    pthread_mutex_destroy(&h->lock);
    free(h->threads);
    free(h);
}

void hands_begin(hands *h, size_t count, hands_task *task, void *context) {
    if (h == NULL) {
        for (size_t i = 0; i < count; i++) task(context, i);
        return;
    }
    pthread_mutex_lock(&h->lock);
    h->task = task;
    h->context = context;
    h->next = 0;
    h->count = h->unfinished = count;
    pthread_cond_broadcast(&h->begun);
    pthread_mutex_unlock(&h->lock);
}

void hands_finish(hands *h) {
    if (h == NULL) return;
    pthread_mutex_lock(&h->lock);
    do_tasks(h);
    while (h->unfinished > 0) pthread_cond_wait(&h->done, &h->lock);
    pthread_mutex_unlock(&h->lock);
}
