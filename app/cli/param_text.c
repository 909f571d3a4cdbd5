/* SPDX-License-Identifier: MIT */
#include "cli/param_text.h"

#include <stdio.h>

#include "base/format.h"

static const char *const type_names[] = {
    [POSSE_TYPE_REAL] = "number",
    [POSSE_TYPE_COUNT] = "whole number",
    [POSSE_TYPE_FLAG] = "true or false",
    [POSSE_TYPE_WORD] = "word",
    [POSSE_TYPE_REALS] = "number or list",
    [POSSE_TYPE_TABLE] = "rows of numbers",
    [POSSE_TYPE_PART] = "belief",
    [POSSE_TYPE_PARTS] = "list of {weight, belief}",
    [POSSE_TYPE_RANGE] = "[lowest, highest]",
    [POSSE_TYPE_TEXT] = "text",
    [POSSE_TYPE_NAMES] = "name or list of names",
};

void param_type_text(const posse_param *p, char text[PARAM_TEXT]) {
    if (p->type == POSSE_TYPE_WORD)
        snprintf(text, PARAM_TEXT, "%s", p->words);
    else
        snprintf(text, PARAM_TEXT, "%s", p->flags & POSSE_PARAM_PATH ? "path of a file" : type_names[p->type]);
}

void param_default_text(const posse_param *p, char text[PARAM_TEXT]) {
    const char *inherited = p->flags & POSSE_PARAM_INHERITED ? "environment, else " : "";
    posse_option o;
    if (!posse_param_default(p, &o))
        text[0] = '\0';
    else if (o.word != NULL)
        snprintf(text, PARAM_TEXT, "%s%s", inherited, o.word);
    else if (o.list != NULL)
        format_text(text, PARAM_TEXT, "[%g, %g]", o.list[0], o.list[1]);
    else if (p->type == POSSE_TYPE_FLAG)
        snprintf(text, PARAM_TEXT, o.number != 0.0 ? "true" : "false");
    else
        format_text(text, PARAM_TEXT, "%s%g", inherited, o.number);
}

void param_range_text(const posse_param *p, char text[PARAM_TEXT]) {
    bool numbers = p->type != POSSE_TYPE_FLAG && p->type != POSSE_TYPE_WORD && p->type != POSSE_TYPE_PART &&
                   p->type < POSSE_TYPE_TEXT;
    if (!numbers || (p->low == 0.0 && p->high == 0.0))
        text[0] = '\0';
    else
        format_text(text, PARAM_TEXT, "%s%.10g, %.10g%s", p->flags & POSSE_PARAM_ABOVE ? "(" : "[", p->low, p->high,
                    p->flags & POSSE_PARAM_BELOW ? ")" : "]");
}
