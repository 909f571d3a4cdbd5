/* SPDX-License-Identifier: MIT */
#include "experiment/store/manifest.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/json_text.h"
#include "common/text.h"
#include "experiment/record/doubt.h"
#include "experiment/store/key.h"
#include "experiment/store/parts.h"
#include "posse_inside.h"

/* ------------------------------------------------ the machine ---------------------------------------------- */

/* What follows `key` on its line of a file, without quotes; `otherwise` if there is no such line. */
static json_t *manifest_line_of(const char *path, const char *key, const char *otherwise) {
    char line[512], *found = NULL;
    FILE *in = fopen(path, "r");
    while (in != NULL && found == NULL && fgets(line, sizeof line, in) != NULL)
        if (strncmp(line, key, strlen(key)) == 0) found = line + strlen(key);
    if (in != NULL) fclose(in);
    if (found == NULL) return json_string(otherwise);
    found += strspn(found, " \t:=\"");
    found[strcspn(found, "\"\n")] = '\0';
    return json_string(found);
}

static json_t *manifest_machine(void) {
    struct utsname system;
    if (uname(&system) != 0) memset(&system, 0, sizeof system);
    char kernel[300];
    snprintf(kernel, sizeof kernel, "%s %s", system.sysname, system.release);
#if defined(__clang__)
    const char *compiler = __VERSION__;
#else
    const char *compiler = "GCC " __VERSION__;
#endif
    return json_pack("{s:o, s:s, s:I, s:s, s:o, s:s, s:s}", "cpu",
                     manifest_line_of("/proc/cpuinfo", "model name", system.machine), "architecture", system.machine,
                     "processors", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN), "kernels", posse_kernels(), "os",
                     manifest_line_of("/etc/os-release", "PRETTY_NAME=", system.sysname), "kernel", kernel, "compiler",
                     compiler);
}

/* ------------------------------------------------- results ------------------------------------------------- */

static json_t *manifest_claims(const experiment *e) {
    json_t *list = json_array();
    for (int i = 0; i < e->claim_count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "says", e->claims[i].says, "holds", e->claims[i].holds));
    return list;
}

static json_t *manifest_number(double x) {
    return isfinite(x) ? json_real(x + 0.0) : json_null(); /* -0 becomes 0 */
}

/* The numbers in the guarantee of the paper (docs/results.md). */
static json_t *manifest_guarantee(const results *r) {
    json_t *list = json_array();
    for (int s = 0; s < r->agenda->selectors && !r->agenda->logged; s++)
        json_array_append_new(list, json_pack("{s:s, s:i, s:o, s:o}", "selector", r->agenda->competitor[s].name,
                                              "learners", r->agenda->experiment->teams[s].count, "d_star_largest",
                                              manifest_number(r->d_star_largest[s]), "d_star_95",
                                              manifest_number(r->d_star_95[s])));
    return list;
}

/* A whole number. */
static json_t *manifest_whole(uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    /* Beyond 2^53 it is a text, because JavaScript, and every reader that takes numbers for doubles, would round it. */
    return value <= UINT64_C(1) << 53 ? json_integer((json_int_t)value) : json_string(text);
}

/* How many rewards were clipped, for the selectors that have a range. */
static json_t *manifest_clipped(const results *r) {
    const experiment *e = r->agenda->experiment;
    json_t *list = json_array();
    for (int s = 0; s < r->agenda->selectors; s++)
        if (!isnan(r->clipped[s]))
            json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "selector", r->agenda->competitor[s].name,
                                                  "clipped", manifest_whole((uint64_t)r->clipped[s]), "rewards",
                                                  manifest_whole(e->runs * e->rounds)));
    return list;
}

/* How strongly the rewards contradict the beliefs of selectors, for those that can be watched. */
static json_t *manifest_surprise(const results *r) {
    json_t *list = json_array();
    for (int s = 0; s < r->agenda->selectors; s++)
        if (!isnan(r->surprise[s]))
            json_array_append_new(
                list, json_pack("{s:s, s:o, s:o, s:o, s:o}", "selector", r->agenda->competitor[s].name, "surprise",
                                manifest_number(r->surprise[s]), "runs", manifest_whole(r->watched_runs), "rounds",
                                manifest_whole(r->watched_rounds), "limit", manifest_number(doubt_limit(r, s))));
    return list;
}

static json_t *manifest_fingerprint(uint64_t hash) {
    char text[20];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_string(text);
}

/* Adds the fingerprint of the files that the experiment names, if it names any. */
static bool add_data(json_t *top, const experiment *e) {
    uint64_t data = key_data(e);
    return data == 0 || json_object_set_new(top, "data", manifest_fingerprint(data)) == 0;
}

static json_t *manifest(const results *r) {
    const experiment *e = r->agenda->experiment;
    json_t *parts = parts_json(e);
    json_t *top = json_pack("{s:s, s:s, s:o, s:o, s:o, s:b}", "name", e->name, "title", e->title, "rounds",
                            manifest_whole(experiment_task_rounds(e)), "runs", manifest_whole(e->runs), "seed",
                            manifest_whole(e->seed), "solo", e->solo);
    if (e->tasks > 1) json_object_set_new(top, "tasks", manifest_whole(e->tasks));
    json_t *rest = json_pack("{s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:s, s:o, s:i, s:o, s:o}", "measure",
                             r->agenda->logged ? "value" : "regret", "claims", manifest_claims(e), "file",
                             e->path != NULL ? e->path : "", "source", e->source != NULL ? e->source : "", "guarantee",
                             manifest_guarantee(r), "clipped", manifest_clipped(r), "surprise", manifest_surprise(r),
                             "version", posse_version(), "hash", manifest_fingerprint(r->hash), "threads", r->threads,
                             "seconds", manifest_number(r->seconds), "machine", manifest_machine());
    bool ok = top != NULL && parts != NULL && rest != NULL && json_object_update(top, parts) == 0 && add_data(top, e) &&
              json_object_update(top, rest) == 0;
    json_decref(parts);
    json_decref(rest);
    if (ok) return top;
    json_decref(top);
    return NULL;
}

bool manifest_write(FILE *out, const results *r) {
    json_t *tree = manifest(r);
    if (tree == NULL) return false;
    json_text_write(out, tree, JSON_TEXT_LINES);
    fputc('\n', out);
    json_decref(tree);
    return !ferror(out);
}

/* ------------------------------------------------ comparing ------------------------------------------------ */

/* A tree as it is after it has been written to a file and read again. */
static json_t *read_back(const json_t *tree) {
    char *text = json_text(tree, JSON_TEXT_LINES);
    json_t *back = text != NULL ? json_read_own(text) : NULL;
    free(text);
    return back;
}

/* The same text is the same experiment, even if an earlier version filled in other defaults. */
static bool same_parts(const json_t *there, const experiment *e) {
    const char *source = json_string_value(json_object_get(there, "source"));
    if (source != NULL && e->source != NULL && *source != '\0' && strcmp(source, e->source) == 0) return true;
    json_t *own = parts_json(e), *back = own != NULL ? read_back(own) : NULL;
    bool same = back != NULL && json_is_true(json_object_get(there, "solo")) == e->solo;
    const char *key;
    json_t *value;
    json_object_foreach(back, key, value) same = same && json_equal(value, json_object_get(there, key));
    json_decref(back);
    json_decref(own);
    return same;
}

static bool manifest_is_whole(const json_t *there, const char *key, uint64_t value) {
    json_t *own = manifest_whole(value);
    bool same = json_equal(own, json_object_get(there, key));
    json_decref(own);
    return same;
}

static bool same_data(const json_t *there, const experiment *e) {
    json_t *own = json_object();
    bool same = own != NULL && add_data(own, e);
    const json_t *here = json_object_get(own, "data"), *other = json_object_get(there, "data");
    same = same && (here == NULL ? other == NULL : json_equal(here, other));
    json_decref(own);
    return same;
}

static const char *manifest_first_difference(const json_t *there, const experiment *e) {
    if (there == NULL) return "something else";
    if (!same_parts(there, e)) return "another experiment";
    if (!same_data(there, e)) return "other data";
    if (!manifest_is_whole(there, "rounds", experiment_task_rounds(e))) return "another number of rounds";
    const json_t *tasks = json_object_get(there, "tasks");
    if ((tasks != NULL ? json_number_value(tasks) : 1.0) != (e->tasks > 1 ? e->tasks : 1.0))
        return "another number of tasks";
    if (!manifest_is_whole(there, "seed", e->seed)) return "another seed";
    return json_number_value(json_object_get(there, "runs")) > e->runs ? "more runs" : NULL;
}

/* A number of the manifest as a text, "?" if there is none. */
static char *manifest_shown(const json_t *there, const char *key) {
    const json_t *value = json_object_get(there, key);
    if (json_is_string(value)) return text_format("%s", json_string_value(value));
    return json_is_integer(value) ? text_format("%" JSON_INTEGER_FORMAT, json_integer_value(value)) : text_format("?");
}

char *manifest_difference(const char *path, const experiment *e) {
    if (access(path, F_OK) != 0) return NULL;
    json_t *there = json_text_read_file(path, 0, NULL);
    const char *what = manifest_first_difference(there, e);
    char *runs = manifest_shown(there, "runs"), *rounds = manifest_shown(there, "rounds"),
         *seed = manifest_shown(there, "seed"), *text = NULL;
    if (what != NULL && runs != NULL && rounds != NULL && seed != NULL)
        text = text_format("%s (%s runs of %s rounds, seed %s)", what, runs, rounds, seed);
    free(runs);
    free(rounds);
    free(seed);
    json_decref(there);
    return text;
}
