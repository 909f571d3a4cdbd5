/* SPDX-License-Identifier: MIT */
/*
 * The history of a posse.
 */
#include <event2/keyvalq_struct.h>
#include <string.h>

#include "posse_inside.h"
#include "serve/frame.h"
#include "serve/request.h"

static const struct {
    const char *name;
    int64_t seconds; /* 0: from the beginning */
} spans[] = {{"hour", 3600}, {"day", 86400}, {"week", 604800}, {"all", 0}};

static void past_put_point(void *context, const kept_point *p) {
    json_out *out = context;
    json_open(out, '{');
    json_whole_at(out, "at", p->at);
    json_whole_at(out, "decisions", (int64_t)p->decisions);
    json_whole_at(out, "rewards", (int64_t)p->rewards);
    json_number_at(out, "reward_sum", p->reward_sum);
    json_number_at(out, "regret", p->regret);
    json_number_at(out, "best_mean", p->best_mean);
    json_key(out, "plays");
    json_put_copy(out, p->plays, strlen(p->plays));
    json_close(out, '}');
}

static void past_put_learners(json_out *out, const posse *p) {
    json_key(out, "learners");
    json_open(out, '[');
    for (int i = 0; i < posse_learner_count(p) && i < FRAME_LEARNERS_MAX; i++)
        json_put_text(out, posse_learner_name(p, i));
    json_close(out, ']');
}

static int past_put(request *r, const char *span) {
    size_t i = 0, count = sizeof spans / sizeof *spans;
    while (span != NULL && i < count && strcmp(spans[i].name, span) != 0) i++;
    if (i == count) return request_fail(r, STATUS_WRONG, NULL, "span is hour, day, week or all");
    json_open(&r->out, '{');
    json_text_at(&r->out, "span", spans[i].name);
    past_put_learners(&r->out, r->hosted->served.posse);
    json_key(&r->out, "points");
    json_open(&r->out, '[');
    if (!engine_history(r->service->engine, r->hosted, spans[i].seconds, past_put_point, &r->out))
        return request_fail(r, STATUS_DOWN, NULL, "the history cannot be read");
    json_close(&r->out, ']');
    json_close(&r->out, '}');
    return STATUS_OK;
}

/* ?span=hour, which is the default, day, week or all. */
int handle_history(request *r) {
    struct evkeyvalq pairs;
    if (r->query == NULL) return past_put(r, NULL);
    if (evhttp_parse_query_str(r->query, &pairs) != 0)
        return request_fail(r, STATUS_WRONG, NULL, "behind the ? there may be span=day");
    int status = past_put(r, evhttp_find_header(&pairs, "span"));
    evhttp_clear_headers(&pairs);
    return status;
}
