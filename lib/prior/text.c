/* SPDX-License-Identifier: MIT */
/*
 * A prior as text: YAML that posse_prior_read and any reader of YAML can read.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "data/decimal.h"
#include "prior/prior.h"

/* Memory for text, which may be too small: `length` counts all bytes, also those that do not fit. */
typedef struct page {
    char *text;
    size_t size, length;
} page;

static void text_put(page *p, const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (p->length + i + 1 < p->size) p->text[p->length + i] = text[i];
    p->length += length;
}

__attribute__((format(printf, 2, 3))) static void text_put_line(page *p, const char *format, ...) {
    char line[300] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_put(p, line);
}

/* ------------------------------------------------- numbers ----------------------------------------------------- */

double prior_rounded(double x) {
    char text[DECIMAL_TEXT];
    double back = x;
    decimal_read(decimal_write_rounded(x, 9, text), &back);
    return back;
}

static void put_number(page *p, double x) {
    char text[DECIMAL_TEXT];
    text_put(p, decimal_write(x, text));
}

static void text_put_list(page *p, const double *list, size_t count) {
    text_put(p, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) text_put(p, ", ");
        put_number(p, list[i]);
    }
    text_put(p, "]");
}

/* -------------------------------------------------- parts ------------------------------------------------------ */

static void put_indent(page *p, int indent) {
    for (int i = 0; i < indent; i++) text_put(p, " ");
}

static const posse_param *param_of(const posse_part *belief, const char *key) {
    return posse_kind_param(POSSE_FAMILY_BELIEF, posse_kind_find(POSSE_FAMILY_BELIEF, belief->kind), key);
}

static void put_part(page *p, const posse_part *belief, int arms, int indent);

static void put_table(page *p, const posse_option *o, int arms, int indent) {
    size_t width = arms > 0 ? (size_t)arms : o->count;
    text_put(p, "\n");
    for (size_t i = 0; i + width <= o->count; i += width) {
        put_indent(p, indent);
        text_put(p, "- ");
        text_put_list(p, o->list + i, width);
        if (i + 2 * width <= o->count) text_put(p, "\n");
    }
}

static void put_components(page *p, const posse_option *o, int arms, int indent) {
    for (size_t i = 0; i < o->count; i++) {
        text_put(p, "\n");
        put_indent(p, indent);
        text_put(p, "- weight: ");
        put_number(p, o->list[i]);
        text_put(p, "\n");
        put_indent(p, indent);
        text_put(p, "  belief:\n");
        put_part(p, &o->part[i], arms, indent + 4);
    }
}

static void put_option(page *p, const posse_part *belief, const posse_option *o, int arms, int indent) {
    const posse_param *declared = param_of(belief, o->key);
    posse_type type = declared != NULL ? declared->type : POSSE_TYPE_REAL;
    text_put_line(p, "%s:", o->key);
    if (o->part != NULL && o->list != NULL)
        put_components(p, o, arms, indent);
    else if (type == POSSE_TYPE_TABLE)
        put_table(p, o, arms, indent + 2);
    else if (o->list != NULL) {
        text_put(p, " ");
        text_put_list(p, o->list, o->count);
    } else if (o->word != NULL) {
        text_put_line(p, type == POSSE_TYPE_TEXT ? " \"%s\"" : " %s", o->word);
    } else if (type == POSSE_TYPE_FLAG)
        text_put(p, o->number != 0.0 ? " true" : " false");
    else {
        text_put(p, " ");
        put_number(p, o->number);
    }
}

static void put_part(page *p, const posse_part *belief, int arms, int indent) {
    put_indent(p, indent);
    text_put_line(p, "kind: %s", belief->kind);
    for (int i = 0; i < POSSE_OPTIONS_MAX && belief->options[i].key != NULL; i++) {
        text_put(p, "\n");
        put_indent(p, indent);
        put_option(p, belief, &belief->options[i], arms, indent);
    }
}

/* -------------------------------------------------- heading ---------------------------------------------------- */

/* A name in a comment must stay in its line, so control characters become spaces. */
static void text_put_name(page *p, const char *name) {
    char shown[60] = "";
    snprintf(shown, sizeof shown, "%.40s", name);
    for (char *c = shown; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = ' ';
    shown[utf8_valid(shown)] = '\0';
    text_put(p, shown);
}

static void put_heading(page *p, const posse_prior *prior) {
    const posse_fit_record *r = &prior->record;
    text_put_line(p, "# A prior of %d arms, fitted by posse %s to ", prior->arms, posse_version());
    if (r->rewards > 0)
        text_put_line(p, "%llu rewards of %zu tasks; the noise %s.\n", (unsigned long long)r->rewards, r->rows,
                      prior->noise_given ? "was given" : "is estimated from them");
    else
        text_put_line(p, "%zu instances.\n", r->rows);
    text_put(p, "# Arms in order:");
    for (int a = 0; a < prior->arms; a++) {
        text_put(p, a > 0 ? ", " : " ");
        text_put_name(p, r->names[a]);
    }
    text_put(p, "\n");
}

size_t posse_prior_text(const posse_prior *prior, char *text, size_t size) {
    page p = {.text = text, .size = text != NULL ? size : 0};
    if (prior == NULL) return 0;
    if (prior->fitted) put_heading(&p, prior);
    put_part(&p, &prior->part, prior->arms, 0);
    text_put(&p, "\n");
    if (p.size > 0) p.text[p.length < p.size ? p.length : p.size - 1] = '\0';
    return p.length;
}
