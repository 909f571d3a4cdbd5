/* SPDX-License-Identifier: MIT */
#include "describe/prior_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "common/file.h"
#include "data/decimal.h"
#include "describe/convert.h"
#include "describe/document.h"
#include "describe/part_copy.h"
#include "describe/scalar.h"
#include "describe/trial.h"

/* ------------------------------------------------- reading ----------------------------------------------------- */

/* A file that is being read: its tree, which messages of the library are placed in. */
typedef struct prior_reading {
    reading r;
    const node *root;
} prior_reading;

static void prior_file_hear(void *context, const posse_place *place, const char *message) {
    prior_reading *p = context;
    problem_at(p->r.found, trial_locate(p->root, place, p->r.memory), "%s", message);
}

/* A file of a prior may name a file of data, but no other file of a prior: the two could name each other. */
static bool prior_file_refuse(reading *r, const node *at, const char *path, posse_part *out) {
    (void)path, (void)out;
    problem_at(r->found, at_key(at), "the file of a prior cannot name that of another; write the belief itself");
    return false;
}

static bool prior_file_convert(prior_reading *p, const posse_allocator *allocator, posse_prior **out) {
    posse_part belief = {0};
    if (p->root->type != NODE_MAP || node_kind(p->root) == NULL) {
        refuse_node(p->r.found, p->root, "a belief, {kind: ..},");
        return false;
    }
    if (!convert_part(&p->r, p->root, POSSE_FAMILY_BELIEF, &belief) || p->r.found->count > 0) return false;
    posse_host host = {.allocator = *allocator, .log = {prior_file_hear, p}};
    posse_error error = posse_prior_make(&belief, p->r.row_width, &host, out);
    if (error == POSSE_ERROR_MEMORY) pool_fail(p->r.memory);
    return error == POSSE_OK;
}

bool prior_file_read_text(const char *path, const char *text, size_t length, const posse_allocator *allocator,
                          problems *found, posse_prior **out) {
    *out = NULL;
    pool *memory = pool_create(allocator);
    const char *folder = memory != NULL ? pool_copy(memory, path, file_folder(path)) : NULL;
    prior_reading p = {.r = {.memory = memory, .found = found, .folder = folder, .priors = prior_file_refuse}};
    bool done = false;
    if (folder != NULL) {
        trial_listen(&p.r);
        p.root = document_read(text, length, memory, found);
        done = p.root != NULL && prior_file_convert(&p, allocator, out);
        if (!done && !reading_failed(&p.r) && found->count == 0)
            problem_at(found, (location){.at = {1, 1}}, "it is no prior");
    }
    if (memory == NULL || reading_failed(&p.r)) pool_fail(found->memory);
    pool_free(memory);
    return done;
}

bool prior_file_read(const char *path, const posse_allocator *allocator, problems *found, posse_prior **out) {
    size_t length = 0;
    *out = NULL;
    char *text = file_read(path, DOCUMENT_BYTES_MAX + 1, &length);
    if (text == NULL) {
        problem_at(found, (location){0}, "cannot be read: %s", strerror(errno));
        return false;
    }
    bool done = prior_file_read_text(path, text, length, allocator, found, out);
    free(text);
    return done;
}

bool prior_file_take(reading *r, const node *at, const char *path, posse_part *out) {
    posse_allocator allocator = pool_allocator(r->memory);
    problems found;
    posse_prior *prior;
    problems_open(&found, &allocator);
    bool done = prior_file_read(path, &allocator, &found, &prior) && part_copy(r->memory, posse_prior_part(prior), out);
    problems_sort(&found);
    for (size_t i = 0; i < problems_kept(&found); i++) {
        const char *line = problem_line(&found.list[i], path, r->memory);
        if (line != NULL) problem_at(r->found, at_node(at), "%s", line);
    }
    if (problems_failed(&found)) r->out_of_memory = true;
    posse_prior_free(prior);
    problems_close(&found);
    return done;
}

/* ------------------------------------------------- writing ----------------------------------------------------- */

static void prior_file_put_number(FILE *out, double x) {
    char text[DECIMAL_TEXT];
    fputs(decimal_write(x, text), out);
}

static void prior_file_put_list(FILE *out, const double *list, size_t count) {
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) fputs(", ", out);
        prior_file_put_number(out, list[i]);
    }
    fputc(']', out);
}

static void prior_file_put_table(FILE *out, const posse_option *o, int arms, int indent) {
    size_t width = arms > 0 ? (size_t)arms : o->count;
    for (size_t i = 0; i + width <= o->count; i += width) {
        fprintf(out, "\n%*s- ", indent, "");
        prior_file_put_list(out, o->list + i, width);
    }
}

static void prior_file_put_part(FILE *out, const posse_part *belief, int arms, int indent);

static void prior_file_put_components(FILE *out, const posse_option *o, int arms, int indent) {
    for (size_t i = 0; i < o->count; i++) {
        fprintf(out, "\n%*s- weight: ", indent, "");
        prior_file_put_number(out, o->list[i]);
        fprintf(out, "\n%*s  belief:\n", indent, "");
        prior_file_put_part(out, &o->part[i], arms, indent + 4);
    }
}

static void prior_file_put_option(FILE *out, const posse_part *belief, const posse_option *o, int arms, int indent) {
    const posse_param *p =
        posse_kind_param(POSSE_FAMILY_BELIEF, posse_kind_find(POSSE_FAMILY_BELIEF, belief->kind), o->key);
    posse_type type = p != NULL ? p->type : POSSE_TYPE_REAL;
    fprintf(out, "%s:", o->key);
    if (o->part != NULL)
        prior_file_put_components(out, o, arms, indent);
    else if (type == POSSE_TYPE_TABLE)
        prior_file_put_table(out, o, arms, indent + 2);
    else if (o->list != NULL) {
        fputc(' ', out);
        prior_file_put_list(out, o->list, o->count);
    } else if (o->word != NULL)
        fprintf(out, type == POSSE_TYPE_TEXT ? " \"%s\"" : " %s", o->word);
    else if (type == POSSE_TYPE_FLAG)
        fputs(o->number != 0.0 ? " true" : " false", out);
    else {
        fputc(' ', out);
        prior_file_put_number(out, o->number);
    }
}

static void prior_file_put_part(FILE *out, const posse_part *belief, int arms, int indent) {
    fprintf(out, "%*skind: %s", indent, "", belief->kind);
    for (int i = 0; i < POSSE_OPTIONS_MAX && belief->options[i].key != NULL; i++) {
        fprintf(out, "\n%*s", indent, "");
        prior_file_put_option(out, belief, &belief->options[i], arms, indent);
    }
}

/* A name in a comment must stay in its line, so control characters become spaces. */
static void prior_file_put_name(FILE *out, const char *name) {
    char shown[60] = "";
    snprintf(shown, sizeof shown, "%.40s", name);
    for (char *c = shown; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = ' ';
    shown[utf8_valid(shown)] = '\0';
    fputs(shown, out);
}

static void prior_file_put_heading(FILE *out, const posse_fit_record *r, int arms, bool noise_given) {
    fprintf(out, "# A prior of %d arms, fitted by posse %s to ", arms, posse_version());
    if (r->rewards > 0)
        fprintf(out, "%llu rewards of %zu tasks; the noise %s.\n", (unsigned long long)r->rewards, r->rows,
                noise_given ? "was given" : "is estimated from them");
    else
        fprintf(out, "%zu instances.\n", r->rows);
    fputs("# Arms in order:", out);
    for (int a = 0; a < arms; a++) {
        fputs(a > 0 ? ", " : " ", out);
        prior_file_put_name(out, r->names[a]);
    }
    fputc('\n', out);
}

void prior_file_write(FILE *out, const posse_prior *prior, bool noise_given) {
    posse_fit_record record;
    int arms = posse_prior_arm_count(prior);
    if (posse_prior_record(prior, &record) == POSSE_OK) prior_file_put_heading(out, &record, arms, noise_given);
    prior_file_put_part(out, posse_prior_part(prior), arms, 0);
    fputc('\n', out);
}
