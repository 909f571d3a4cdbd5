/* SPDX-License-Identifier: MIT */
/*
 * What the server reports about itself: health and metrics.
 */
#include <math.h>

#include "posse_inside.h"
#include "serve/request.h"
#include "serve/watchers.h"

static int about_put_word(request *r, const char *key, const char *word, int status) {
    json_open(&r->out, '{');
    json_text_at(&r->out, key, word);
    json_close(&r->out, '}');
    return status;
}

int handle_health(request *r) {
    return about_put_word(r, "status", "alive", STATUS_OK);
}

int handle_ready(request *r) {
    const service *s = r->service;
    if (engine_is_lost(s->engine)) return request_fail(r, STATUS_DOWN, NULL, "the database cannot be read");
    if (s->draining) return request_fail(r, STATUS_DOWN, NULL, "the server is about to end");
    return about_put_word(r, "status", "ready", STATUS_OK);
}

/* ----------------------------------------------------- Prometheus ------------------------------------------------ */

static void put_counter(json_out *out, const char *name, const char *help, uint64_t value) {
    json_print(out, "# HELP posse_%s %s\n# TYPE posse_%s counter\nposse_%s %llu\n", name, help, name, name,
               (unsigned long long)value);
}

static void put_gauge(json_out *out, const char *name, const char *help, double value) {
    json_print(out, "# HELP posse_%s %s\n# TYPE posse_%s gauge\nposse_%s %.17g\n", name, help, name, name, value);
}

static void put_answers(json_out *out, const metrics *m) {
    json_print(out, "# HELP posse_http_answers_total Answers by status.\n# TYPE posse_http_answers_total counter\n");
    for (int i = 0; i < STATUSES && m->answers[i].status != 0; i++)
        json_print(out, "posse_http_answers_total{status=\"%d\"} %llu\n", m->answers[i].status,
                   (unsigned long long)m->answers[i].count);
}

static void put_commits(json_out *out, const metrics *m) {
    uint64_t count = 0;
    json_print(out, "# HELP posse_commit_seconds How long commits took.\n# TYPE posse_commit_seconds histogram\n");
    for (int i = 0; i < COMMIT_BOUNDS; i++) {
        count += m->commits[i];
        json_print(out, "posse_commit_seconds_bucket{le=\"%g\"} %llu\n", commit_bounds[i], (unsigned long long)count);
    }
    count += m->commits[COMMIT_BOUNDS];
    json_print(out, "posse_commit_seconds_bucket{le=\"+Inf\"} %llu\nposse_commit_seconds_sum %.9g\n",
               (unsigned long long)count, m->commit_seconds);
    json_print(out, "posse_commit_seconds_count %llu\n", (unsigned long long)count);
}

#define SURPRISE_ALARM 2.995732273553991 /* log 20 */

/* Over all posses. */
typedef struct survey {
    double pending, surprise_max;
    double watched, alarms; /* posses that report a surprise; those of them whose rewards contradict their prior */
} survey;

static void add_posse(void *context, hosted *h) {
    survey *all = context;
    double surprise;
    all->pending += (double)posse_pending_count(h->served.posse);
    if (posse_surprise(h->served.posse, &surprise) != POSSE_OK) return;
    all->watched += 1.0;
    all->alarms += surprise > SURPRISE_ALARM;
    all->surprise_max = fmax(all->surprise_max, surprise);
}

static void put_surprises(json_out *out, const survey *all) {
    put_gauge(out, "surprise_posses", "Posses that report a surprise.", all->watched);
    put_gauge(out, "surprise_alarms", "Posses whose surprise is above log 20: their rewards contradict the prior.",
              all->alarms);
    if (all->watched > 0.0) put_gauge(out, "surprise_max", "The largest surprise of any posse.", all->surprise_max);
}

/* No label holds the name of a posse: there may be a hundred thousand of them. */
int handle_metrics(request *r) {
    const service *s = r->service;
    engine_counts c = engine_count(s->engine);
    survey all = {.surprise_max = -INFINITY};
    engine_each(s->engine, add_posse, &all);
    r->type = "text/plain; version=0.0.4";
    put_gauge(&r->out, "posses", "Posses that are served.", (double)engine_posses(s->engine));
    put_gauge(&r->out, "pending", "Decisions that wait for a reward.", all.pending);
    put_gauge(&r->out, "memory_bytes", "Memory of all posses.", (double)engine_memory(s->engine));
    put_gauge(&r->out, "epoch", "The epoch of this start.", engine_epoch(s->engine));
    put_gauge(&r->out, "watchers", "Connections that watch a posse.", (double)watchers_count(s->watchers));
    put_surprises(&r->out, &all);
    put_counter(&r->out, "decisions_total", "Decisions since the start.", c.served.decisions);
    put_counter(&r->out, "rewards_total", "Rewards learned since the start.", c.served.rewards);
    put_counter(&r->out, "repeats_total", "Rewards that were sent again.", c.served.repeats);
    put_counter(&r->out, "refused_total", "Rewards that were refused.", c.served.refused);
    put_counter(&r->out, "forgotten_total", "Decisions that were forgotten.", c.served.forgotten);
    put_counter(&r->out, "expired_total", "Decisions that expired, by the clock or by later decisions.",
                c.served.expired);
    put_counter(&r->out, "taught_total", "Rewards that were taught without a decision.", c.served.taught);
    put_counter(&r->out, "log_records_total", "Records that were written.", c.records);
    put_counter(&r->out, "snapshots_total", "Snapshots that were written.", c.snapshots);
    put_counter(&r->out, "failed_commits_total", "Commits that failed and were undone.", c.failed_commits);
    put_counter(&r->out, "http_requests_total", "Requests.", s->metrics.requests);
    put_counter(&r->out, "batched_requests_total", "Requests that waited for a commit.", s->metrics.batched);
    put_answers(&r->out, &s->metrics);
    put_commits(&r->out, &s->metrics);
    return STATUS_OK;
}
