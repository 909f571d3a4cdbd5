/* SPDX-License-Identifier: MIT */
#include "serve/metrics.h"

static const double histogram_bounds[HISTOGRAM_BOUNDS] = {0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0};

static void histogram_add(histogram *h, double seconds) {
    int i = 0;
    while (i < HISTOGRAM_BOUNDS && seconds > histogram_bounds[i]) i++;
    h->counts[i]++;
    h->seconds += seconds;
}

void metrics_answer(metrics *m, int status, int route, double seconds) {
    int i = 0;
    while (i < STATUSES - 1 && m->answers[i].status != 0 && m->answers[i].status != status) i++;
    m->answers[i].status = status;
    m->answers[i].count++;
    histogram_add(&m->routes[route], seconds);
}

void metrics_commit(metrics *m, double seconds, uint64_t batched) {
    histogram_add(&m->commits, seconds);
    m->batched += batched;
}

/* -------------------------------------------------- the format --------------------------------------------------- */

void metrics_head(json_out *out, const char *name, const char *type, const char *help) {
    json_print(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void metrics_put_counter(json_out *out, const char *name, const char *help, uint64_t value) {
    metrics_head(out, name, "counter", help);
    json_print(out, "%s %llu\n", name, (unsigned long long)value);
}

void metrics_put_gauge(json_out *out, const char *name, const char *help, double value) {
    metrics_head(out, name, "gauge", help);
    json_print(out, "%s %.17g\n", name, value);
}

void metrics_put_histogram(json_out *out, const char *name, const char *labels, const histogram *h) {
    uint64_t count = 0;
    bool some = labels[0] != '\0';
    for (int i = 0; i < HISTOGRAM_BOUNDS; i++) {
        count += h->counts[i];
        json_print(out, "%s_bucket{%s%sle=\"%g\"} %llu\n", name, labels, some ? "," : "", histogram_bounds[i],
                   (unsigned long long)count);
    }
    count += h->counts[HISTOGRAM_BOUNDS];
    json_print(out, "%s_bucket{%s%sle=\"+Inf\"} %llu\n", name, labels, some ? "," : "", (unsigned long long)count);
    json_print(out, "%s_sum%s%s%s %.9g\n", name, some ? "{" : "", labels, some ? "}" : "", h->seconds);
    json_print(out, "%s_count%s%s%s %llu\n", name, some ? "{" : "", labels, some ? "}" : "", (unsigned long long)count);
}
