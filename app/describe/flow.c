/* SPDX-License-Identifier: MIT */
#include "describe/flow.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "describe/scalar.h"

/* ----------------------------------------------------- words ----------------------------------------------------- */

static bool is_letter_digit_or_dash(char c) {
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_' || c == '-';
}

bool flow_is_plain(const char *text) {
    static const char *const taken[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (ascii_same(text, taken[i])) return false;
    if (!ascii_is_letter(*text)) return false;
    for (; *text != '\0'; text++) {
        bool between = *text == ' ' && is_letter_digit_or_dash(text[1]);
        if (!is_letter_digit_or_dash(*text) && !between) return false;
    }
    return true;
}

/* Text that is written twice: once to learn its length, with out NULL, and once for good. */
typedef struct writer {
    char *out;
    size_t length;
} writer;

static void put_bytes(writer *w, const char *bytes, size_t count) {
    if (w->out != NULL) memcpy(w->out + w->length, bytes, count);
    w->length += count;
}

static void flow_put(writer *w, const char *text) {
    put_bytes(w, text, strlen(text));
}

static void put_break(writer *w, int depth) {
    flow_put(w, "\n");
    for (int i = 0; i < depth; i++) flow_put(w, "  ");
}

/* Quotes, backslashes and control characters cannot stand in a quoted text. */
static bool needs_escape(char c) {
    return (unsigned char)c < 0x20 || c == 0x7f || c == '"' || c == '\\';
}

static void put_escape(writer *w, char c) {
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    const char *known = strchr(from, c);
    char text[8];
    if (known != NULL)
        snprintf(text, sizeof text, "\\%c", to[known - from]);
    else
        snprintf(text, sizeof text, "\\u%04x", (unsigned char)c);
    flow_put(w, text);
}

static void flow_put_word(writer *w, const char *text) {
    if (flow_is_plain(text)) {
        flow_put(w, text);
        return;
    }
    flow_put(w, "\"");
    for (; *text != '\0'; text++)
        if (needs_escape(*text))
            put_escape(w, *text);
        else
            put_bytes(w, text, 1);
    flow_put(w, "\"");
}

/*
 * An unquoted scalar that is no word is a number, true, false or nothing. It must stay unquoted to keep that meaning.
 */
static void put_scalar(writer *w, const node *n) {
    plain_class what = n->plain ? plain_class_of(n->text) : PLAIN_WORD;
    if (what == PLAIN_WORD)
        flow_put_word(w, n->text);
    else
        flow_put(w, *n->text != '\0' ? n->text : "null");
}

/* ------------------------------------------------- lists and maps ------------------------------------------------ */

static void put_node(writer *w, const node *n, int depth);

/* Outermost, a line for each entry. Its remark goes to the end of the line, behind the comma that ends the entry. */
static void put_map(writer *w, const node *map, int depth) {
    const char *remark = NULL;
    flow_put(w, "{");
    for (const node *n = map->first; n != NULL; n = n->next) {
        if (n != map->first) flow_put(w, depth > 0 ? ", " : ",");
        if (remark != NULL) flow_put(w, remark);
        if (depth == 0) put_break(w, 1);
        flow_put_word(w, n->key);
        flow_put(w, ": ");
        put_node(w, n, depth + 1);
        remark = depth == 0 ? n->remark : NULL;
    }
    if (remark != NULL) flow_put(w, remark);
    if (depth == 0) put_break(w, 0);
    flow_put(w, "}");
}

static bool holds_maps(const node *list) {
    for (const node *n = list->first; n != NULL; n = n->next)
        if (n->type == NODE_MAP) return true;
    return false;
}

/* A line for each entry, with remarks as above. */
static void flow_put_lines(writer *w, const node *list) {
    const char *remark = NULL;
    flow_put(w, "[");
    for (const node *n = list->first; n != NULL; n = n->next) {
        if (n != list->first) flow_put(w, ",");
        if (remark != NULL) flow_put(w, remark);
        put_break(w, 2);
        put_node(w, n, 2);
        remark = n->remark;
    }
    if (remark != NULL) flow_put(w, remark);
    put_break(w, 1);
    flow_put(w, "]");
}

static void flow_put_list(writer *w, const node *list, int depth) {
    flow_put(w, "[");
    for (const node *n = list->first; n != NULL; n = n->next) {
        if (n != list->first) flow_put(w, ", ");
        put_node(w, n, depth + 1);
    }
    flow_put(w, "]");
}

static void put_node(writer *w, const node *n, int depth) {
    if (n->type == NODE_MAP)
        put_map(w, n, depth);
    else if (n->type == NODE_LIST && depth == 1 && holds_maps(n))
        flow_put_lines(w, n);
    else if (n->type == NODE_LIST)
        flow_put_list(w, n, depth);
    else
        put_scalar(w, n);
}

static void put_root(writer *w, const node *root) {
    put_node(w, root, 0);
    flow_put(w, "\n");
}

char *flow_write(const node *root, pool *memory) {
    writer w = {0};
    put_root(&w, root);
    w = (writer){.out = pool_allocate(memory, w.length + 1)};
    if (w.out != NULL) put_root(&w, root);
    return w.out;
}
