/* SPDX-License-Identifier: MIT */
/*
 * /metrics, for Prometheus: the server, its process, and the posses that --metrics-of names.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "posse_inside.h"
#include "posse_modes.h"
#include "serve/request.h"
#include "serve/usage.h"
#include "serve/watchers.h"
#include "served/health.h"

#define LEARNERS_SHOWN 20 /* of a posse that is shown by its name */

/* ----------------------------------------------------- the server ------------------------------------------------ */

static void put_answers(json_out *out, const metrics *m) {
    metrics_head(out, "posse_http_answers_total", "counter", "Answers by status.");
    for (int i = 0; i < STATUSES && m->answers[i].status != 0; i++)
        json_print(out, "posse_http_answers_total{status=\"%d\"} %llu\n", m->answers[i].status,
                   (unsigned long long)m->answers[i].count);
}

static bool is_used(const histogram *h) {
    for (int i = 0; i <= HISTOGRAM_BOUNDS; i++)
        if (h->counts[i] > 0) return true;
    return false;
}

/* Routes that were never asked for are left out. */
static void put_routes(json_out *out, const metrics *m) {
    static const char name[] = "posse_http_request_seconds";
    metrics_head(out, name, "histogram", "From the time when a request was read to its answer, by route.");
    for (int i = 0; i <= ROUTES_MAX; i++) {
        char labels[120];
        const char *method, *path = request_route(i, &method);
        if (!is_used(&m->routes[i])) continue;
        if (path != NULL)
            snprintf(labels, sizeof labels, "method=\"%s\",route=\"/%s\"", method, path);
        else
            snprintf(labels, sizeof labels, "method=\"\",route=\"\"");
        metrics_put_histogram(out, name, labels, &m->routes[i]);
    }
}

static void put_commits(json_out *out, const metrics *m) {
    metrics_head(out, "posse_commit_seconds", "histogram", "How long commits took.");
    metrics_put_histogram(out, "posse_commit_seconds", "", &m->commits);
}

static void put_known(json_out *out, const char *name, const char *type, const char *help, double value) {
    if (isnan(value)) return;
    metrics_head(out, name, type, help);
    json_print(out, "%s %.17g\n", name, value);
}

static void put_process(json_out *out) {
    usage f = usage_look();
    put_known(out, "process_cpu_seconds_total", "counter", "Processor time, in user and system mode.", f.cpu_seconds);
    put_known(out, "process_resident_memory_bytes", "gauge", "Memory that is in use.", f.resident_bytes);
    put_known(out, "process_start_time_seconds", "gauge", "When the process began, since 1970.", f.start_time);
    put_known(out, "process_open_fds", "gauge", "Open files and connections.", f.open_files);
    put_known(out, "process_max_fds", "gauge", "How many files and connections may be open.", f.files_max);
    metrics_head(out, "posse_build_info", "gauge", "The version of the program; always 1.");
    json_print(out, "posse_build_info{version=\"%s\"} 1\n", posse_version());
}

/* ----------------------------------------------------- all posses ------------------------------------------------ */

/* Over all posses. */
typedef struct survey {
    double pending, deferred, surprise_max;
    double watched;                  /* posses that report a surprise */
    double alarms[ALARMS];           /* posses that have raised each */
    double paused, shadow, holdback; /* posses in each of these modes */
} survey;

static void survey_add(void *context, hosted *h) {
    survey *all = context;
    double surprise;
    if (h->aside) return; /* nobody may look at it now */
    unsigned raised = engine_alarms(h->engine, h);
    posse_modes modes = posse_modes_of(h->served.posse);
    for (int k = 0; k < ALARMS; k++) all->alarms[k] += raised >> k & 1;
    all->paused += modes.paused;
    all->shadow += modes.shadow;
    all->holdback += modes.holdback > 0.0;
    all->pending += (double)posse_pending_count(h->served.posse);
    all->deferred += (double)posse_deferred_count(h->served.posse);
    if (posse_surprise(h->served.posse, &surprise) != POSSE_OK) return;
    all->watched += 1.0;
    all->surprise_max = fmax(all->surprise_max, surprise);
}

static void put_surprises(json_out *out, const survey *all) {
    metrics_put_gauge(out, "posse_surprise_posses", "Posses that report a surprise.", all->watched);
    metrics_put_gauge(out, "posse_surprise_alarms", "Posses whose rewards contradict the prior.",
                      all->alarms[ALARM_SURPRISE]);
    if (all->watched > 0.0)
        metrics_put_gauge(out, "posse_surprise_max", "The largest surprise of any posse.", all->surprise_max);
}

static void put_alarm_counts(json_out *out, const survey *all) {
    metrics_head(out, "posse_alarms", "gauge", "Posses that have raised an alarm.");
    for (int k = 0; k < ALARMS; k++)
        json_print(out, "posse_alarms{alarm=\"%s\"} %.17g\n", health_alarm_names[k], all->alarms[k]);
}

static void put_mode_counts(json_out *out, const survey *all) {
    metrics_put_gauge(out, "posse_paused", "Posses that are paused: they learn nothing.", all->paused);
    metrics_put_gauge(out, "posse_shadow", "Posses in shadow mode: they suggest, and another rule acts.", all->shadow);
    metrics_put_gauge(out, "posse_holdback", "Posses that hold back a share of their decisions.", all->holdback);
}

/* --------------------------------------------------- posses by name ---------------------------------------------- */

/* The posses that --metrics-of names, that exist, and that the client may know of. */
static const hosted *scrape_shown(const request *r, int i) {
    const char *name = r->service->shown[i];
    const hosted *h = request_roles(r, name) != 0 ? engine_find(r->service->engine, name) : NULL;
    return h != NULL && !h->aside ? h : NULL;
}

/* A figure of each posse. value: NaN if a posse has none. */
static void put_each(request *r, const char *name, const char *type, const char *help,
                     double (*value)(const hosted *)) {
    metrics_head(&r->out, name, type, help);
    for (int i = 0; i < r->service->shown_count; i++) {
        const hosted *h = scrape_shown(r, i);
        double x = h != NULL ? value(h) : NAN;
        if (!isnan(x)) json_print(&r->out, "%s{posse=\"%s\"} %.17g\n", name, h->name, x);
    }
}

static double decisions_of(const hosted *h) {
    return (double)posse_decision_count(h->served.posse);
}

static double pending_of(const hosted *h) {
    return (double)posse_pending_count(h->served.posse);
}

static double rewards_of(const hosted *h) {
    return (double)h->served.rewards;
}

static double reward_sum_of(const hosted *h) {
    return h->served.reward_sum;
}

static double surprise_of(const hosted *h) {
    double surprise;
    return posse_surprise(h->served.posse, &surprise) == POSSE_OK ? surprise : NAN;
}

static double paused_of(const hosted *h) {
    return posse_modes_of(h->served.posse).paused;
}

static double shadow_of(const hosted *h) {
    return posse_modes_of(h->served.posse).shadow;
}

static double holdback_of(const hosted *h) {
    return posse_modes_of(h->served.posse).holdback;
}

/* The name of a learner as the value of a label: any text, with three characters escaped. */
static void scrape_put_label(json_out *out, const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\') json_put_copy(out, "\\", 1);
        if (*at == '\n')
            json_put_copy(out, "\\n", 2);
        else
            json_put_copy(out, at, 1);
    }
}

static void put_plays(request *r) {
    metrics_head(&r->out, "posse_named_plays", "gauge",
                 "Decisions of each learner in this task, of posses that --metrics-of names.");
    for (int i = 0; i < r->service->shown_count; i++) {
        const hosted *h = scrape_shown(r, i);
        size_t count = h != NULL ? (size_t)posse_learner_count(h->served.posse) : 0;
        uint64_t *plays = calloc(count + 1, sizeof *plays);
        if (plays != NULL && h != NULL) posse_plays(h->served.posse, plays);
        for (size_t k = 0; plays != NULL && k < count && k < LEARNERS_SHOWN; k++) {
            json_print(&r->out, "posse_named_plays{posse=\"%s\",learner=\"", h->name);
            scrape_put_label(&r->out, posse_learner_name(h->served.posse, (int)k));
            json_print(&r->out, "\"} %llu\n", (unsigned long long)plays[k]);
        }
        free(plays);
    }
}

static void put_alarms_of_each(request *r) {
    metrics_head(&r->out, "posse_named_alarm", "gauge", "Whether a posse has raised an alarm.");
    for (int i = 0; i < r->service->shown_count; i++) {
        const hosted *h = scrape_shown(r, i);
        for (int k = 0; h != NULL && k < ALARMS; k++)
            json_print(&r->out, "posse_named_alarm{posse=\"%s\",alarm=\"%s\"} %u\n", h->name, health_alarm_names[k],
                       engine_alarms(r->service->engine, h) >> k & 1);
    }
}

static void put_named(request *r) {
    if (r->service->shown_count == 0) return;
    put_each(r, "posse_named_decisions_total", "counter", "Decisions of a posse.", decisions_of);
    put_each(r, "posse_named_pending", "gauge", "Decisions of a posse that wait for a reward.", pending_of);
    put_each(r, "posse_named_rewards_total", "counter", "Rewards that a posse has learned.", rewards_of);
    put_each(r, "posse_named_earned", "gauge", "The sum of these rewards.", reward_sum_of);
    put_each(r, "posse_named_surprise", "gauge", "The surprise of a posse that reports one.", surprise_of);
    put_each(r, "posse_named_paused", "gauge", "Whether a posse is paused.", paused_of);
    put_each(r, "posse_named_shadow", "gauge", "Whether a posse is in shadow mode.", shadow_of);
    put_each(r, "posse_named_holdback", "gauge", "The share of decisions that a posse holds back.", holdback_of);
    put_plays(r);
    put_alarms_of_each(r);
}

/* ----------------------------------------------------- the answer ------------------------------------------------ */

static void put_gauges(request *r) {
    const service *s = r->service;
    survey all = {.surprise_max = -INFINITY};
    engine_each(s->engine, survey_add, &all);
    metrics_put_gauge(&r->out, "posse_posses", "Posses that are served.", (double)engine_posses(s->engine));
    metrics_put_gauge(&r->out, "posse_pending", "Decisions that wait for a reward.", all.pending);
    metrics_put_gauge(&r->out, "posse_deferred", "Of these, deferred ones that were not shown yet.", all.deferred);
    metrics_put_gauge(&r->out, "posse_memory_bytes", "Memory of all posses.", (double)engine_memory(s->engine));
    metrics_put_gauge(&r->out, "posse_epoch", "The epoch of this start.", engine_epoch(s->engine));
    metrics_put_gauge(&r->out, "posse_watchers", "Connections that watch a posse.",
                      (double)watchers_count(s->watchers));
    put_surprises(&r->out, &all);
    put_alarm_counts(&r->out, &all);
    put_mode_counts(&r->out, &all);
}

static void put_counters(request *r) {
    const service *s = r->service;
    engine_counts c = engine_count(s->engine);
    const struct {
        const char *name, *help;
        uint64_t value;
    } counters[] = {
        {"posse_decisions_total", "Decisions since the start.", c.served.decisions},
        {"posse_rewards_total", "Rewards learned since the start.", c.served.rewards},
        {"posse_repeats_total", "Rewards that were sent again.", c.served.repeats},
        {"posse_refused_total", "Rewards that were refused.", c.served.refused},
        {"posse_forgotten_total", "Decisions that were forgotten.", c.served.forgotten},
        {"posse_expired_total", "Decisions that expired, by the clock or by later decisions.", c.served.expired},
        {"posse_taught_total", "Rewards that were taught without a decision.", c.served.taught},
        {"posse_log_records_total", "Records that were written.", c.records},
        {"posse_snapshots_total", "Snapshots that were written.", c.snapshots},
        {"posse_failed_commits_total", "Commits that failed and were undone.", c.failed_commits},
        {"posse_http_requests_total", "Requests.", s->metrics.requests},
        {"posse_batched_requests_total", "Requests that waited for a commit.", s->metrics.batched},
        {"posse_access_log_dropped_total", "Lines of the access log that could not be written.",
         access_dropped(s->access)},
    };
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        metrics_put_counter(&r->out, counters[i].name, counters[i].help, counters[i].value);
}

/* There may be a hundred thousand posses, so only those that the operator has chosen are in a label. */
int handle_metrics(request *r) {
    r->type = "text/plain; version=0.0.4";
    put_gauges(r);
    put_counters(r);
    put_answers(&r->out, &r->service->metrics);
    put_commits(&r->out, &r->service->metrics);
    put_routes(&r->out, &r->service->metrics);
    put_process(&r->out);
    put_named(r);
    return STATUS_OK;
}
