/* SPDX-License-Identifier: MIT */
#include "report/page/template.h"

#include <stdlib.h>
#include <string.h>

#include "report/data/asset.h"
#include "report/data/draft.h"

enum { DIGITS = 6 }; /* of a number on a page; the CSV files have all digits */

static const asset *asset_named(const char *name, size_t length) {
    const asset *a = page_assets;
    while (a->name != NULL && (strlen(a->name) != length || strncmp(a->name, name, length) != 0)) a++;
    return a->name != NULL ? a : NULL;
}

static void put_html(FILE *out, const char *text) {
    for (; *text != '\0'; text++) switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        default:
            fputc(*text, out);
        }
}

/* In JSON a `<` occurs only within strings. Written as \u003c it can neither end the script nor open a comment. */
static int put_json(const char *buffer, size_t size, void *stream) {
    FILE *out = stream;
    for (size_t i = 0; i < size; i++)
        if (buffer[i] == '<')
            fputs("\\u003c", out);
        else
            fputc(buffer[i], out);
    return ferror(out) ? -1 : 0;
}

static bool template_is(const char *name, size_t length, const char *word) {
    return strlen(word) == length && memcmp(name, word, length) == 0;
}

/* False: there is no memory for the data. */
static bool put_value(FILE *out, const char *name, size_t length, const char *title, const json_t *data) {
    const asset *a = asset_named(name, length);
    if (template_is(name, length, "title"))
        put_html(out, title);
    else if (template_is(name, length, "data"))
        return json_dump_callback(data, put_json, out, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS)) == 0;
    else if (a != NULL)
        fwrite(a->text, 1, a->size, out);
    return true;
}

static bool template_expand(FILE *out, const char *text, const char *title, const json_t *data) {
    const char *begin, *end;
    bool complete = true;
    while ((begin = strstr(text, "{{")) != NULL && (end = strstr(begin, "}}")) != NULL) {
        fwrite(text, 1, (size_t)(begin - text), out);
        complete = put_value(out, begin + 2, (size_t)(end - begin - 2), title, data) && complete;
        text = end + 2;
    }
    fputs(text, out);
    return complete;
}

bool template_write(const char *directory, const char *file, const char *name, const char *title, const json_t *data,
                    FILE *messages) {
    const asset *a = asset_named(name, strlen(name));
    draft d;
    if (data == NULL) fprintf(messages, "%s/%s: there is no memory for its data\n", directory, file);
    if (a == NULL || data == NULL || !draft_open(&d, directory, file, messages)) return false;
    bool complete = template_expand(d.stream, a->text, title, data);
    return draft_finish(&d, complete, messages);
}
