/* SPDX-License-Identifier: MIT */
#include "cli/list_markdown.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/param_text.h"

/* Escapes the characters that Markdown would interpret; within `code` only the bar, which ends a cell of a table. */
static void list_markdown_put(const char *text) {
    bool code = false;
    for (; *text != '\0'; text++) {
        code = code != (*text == '`');
        if (*text == '|' || (!code && strchr("*<\\", *text) != NULL)) putchar('\\');
        putchar(*text);
    }
}

/* The words of "ball|sphere", each as code. */
static void put_words(const char *words) {
    for (const char *between = ""; *words != '\0'; between = ", ") {
        size_t length = strcspn(words, "|");
        printf("%s`%.*s`", between, (int)length, words);
        words += length + (words[length] == '|');
    }
}

static void put_type(const posse_param *p) {
    char text[PARAM_TEXT];
    param_type_text(p, text);
    if (p->type == POSSE_TYPE_WORD) {
        put_words(p->words);
        return;
    }
    list_markdown_put(text);
    if (p->words == NULL) return;
    printf(", or ");
    put_words(p->words);
}

static void put_default(const posse_param *p) {
    char text[PARAM_TEXT];
    param_default_text(p, text);
    if (text[0] == '\0')
        list_markdown_put(p->flags & POSSE_PARAM_REQUIRED ? "required" : "");
    else if (p->type == POSSE_TYPE_PART || p->flags & POSSE_PARAM_INHERITED)
        list_markdown_put(text);
    else
        printf("`%s`", text);
}

static void put_params(const posse_param *p) {
    printf("\n| key | type | default | range | meaning |\n| --- | --- | --- | --- | --- |\n");
    for (; p->name != NULL; p++) {
        char range[PARAM_TEXT];
        param_range_text(p, range);
        printf("| `%s` | ", p->name);
        put_type(p);
        printf(" | ");
        put_default(p);
        printf(" | %s | ", range);
        list_markdown_put(p->help);
        printf(" |\n");
    }
}

/* The help of a kind begins in lower case, for lists, and has no full stop. */
static void put_sentence(const char *text) {
    putchar(toupper((unsigned char)text[0]));
    list_markdown_put(text + (text[0] != '\0'));
    printf(".\n");
}

static void put_kind(posse_family family, int index) {
    const posse_param *params = posse_kind_params(family, index);
    printf("\n### %s %s\n", posse_family_name(family), posse_kind_name(family, index));
    put_sentence(posse_kind_help(family, index));
    if (params->name != NULL) put_params(params);
}

static void put_family(posse_family family) {
    const char *name = posse_family_name(family);
    printf("\n## %c%ss\n", toupper((unsigned char)name[0]), name + 1);
    for (int i = 0; i < posse_kind_count(family); i++)
        printf("%s[`%s`](#%s-%s)", i > 0 ? ",\n" : "", posse_kind_name(family, i), name, posse_kind_name(family, i));
    printf("\n");
    if (posse_family_params(family)->name == NULL) return;
    printf("\nEvery %s also has:\n", name);
    put_params(posse_family_params(family));
}

int list_markdown(posse_family family, const char *only) {
    int printed = 0;
    if (only == NULL) put_family(family);
    for (int i = 0; i < posse_kind_count(family); i++) {
        if (only != NULL && strcmp(only, posse_kind_name(family, i)) != 0) continue;
        put_kind(family, i);
        printed++;
    }
    return printed;
}
