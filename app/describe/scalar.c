/* SPDX-License-Identifier: MIT */
#include "describe/scalar.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "data/decimal.h"

static bool is_one_of(const char *text, const char *const *words) {
    for (; *words != NULL; words++)
        if (ascii_same(text, *words)) return true;
    return false;
}

/* The decimal numbers of YAML's core schema are those of decimal_read. */
static bool is_decimal(const char *text) {
    double x;
    return decimal_read(text, &x) != DECIMAL_NONE;
}

static const char *unsigned_part(const char *text) {
    return text + (*text == '-' || *text == '+');
}

static bool begins_with_zero(const char *text) {
    text = unsigned_part(text);
    return text[0] == '0' && ascii_is_digit(text[1]);
}

/* Too large or too small for a double, though written like a number. */
static bool is_beyond_double(const char *text) {
    double x;
    return decimal_read(text, &x) == DECIMAL_BEYOND;
}

static bool is_number_in_another_base(const char *text) {
    text = unsigned_part(text);
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X' || text[1] == 'o' || text[1] == 'b') &&
           text[2 + strspn(text + 2, "0123456789abcdefABCDEF_")] == '\0';
}

static bool is_not_finite(const char *text) {
    return is_one_of(unsigned_part(text), (const char *const[]){".nan", ".inf", NULL});
}

static bool has_underscores(const char *text) {
    text = unsigned_part(text);
    return ascii_is_digit(text[0]) && strchr(text, '_') != NULL && text[strspn(text, "0123456789_.eE+-")] == '\0';
}

/* Why an unquoted word that some parsers read as a number is refused here, or NULL. */
static const char *why_refused(const char *text) {
    if (is_decimal(text)) {
        if (begins_with_zero(text)) return "begins with a zero, which some read as octal; write it without";
        return is_beyond_double(text) ? "is beyond the range of a number" : NULL;
    }
    if (is_not_finite(text)) return "is not a finite number";
    if (is_number_in_another_base(text)) return "is not decimal; write the number in decimal";
    return has_underscores(text) ? "has underscores; write the number without" : NULL;
}

plain_class plain_class_of(const char *text) {
    if (*text == '\0' || strcmp(text, "~") == 0 || ascii_same(text, "null")) return PLAIN_NOTHING;
    if (ascii_same(text, "true") || ascii_same(text, "false")) return PLAIN_FLAG;
    if (why_refused(text) != NULL) return PLAIN_REFUSED;
    return is_decimal(text) ? PLAIN_NUMBER : PLAIN_WORD;
}

void refuse_node(problems *found, const node *n, const char *wanted) {
    char words[120];
    if (n->type != NODE_REFUSED)
        problem_at(found, at_node(n), "%s is needed here, not %s", wanted, node_words(n, words));
}

/* True for an unquoted scalar that is written as a number. `wanted` is for the message. */
static bool scalar_is_number(problems *found, const node *n, const char *wanted) {
    if (n->type != NODE_SCALAR || !n->plain) {
        refuse_node(found, n, wanted);
        return false;
    }
    const char *why = why_refused(n->text);
    if (why != NULL)
        problem_at(found, at_node(n), "%.80s %s", n->text, why);
    else if (!is_decimal(n->text))
        refuse_node(found, n, wanted);
    return why == NULL && is_decimal(n->text);
}

bool take_number(problems *found, const node *n, double *out) {
    if (!scalar_is_number(found, n, "a number")) return false;
    return decimal_read(n->text, out) == DECIMAL_FINE;
}

/* The number is read digit by digit, since a seed has 64 bits and a double only 53. */
static bool exact_digits(const char *text, uint64_t *out) {
    text += *text == '+';
    size_t digits = decimal_read_whole(text, out);
    return digits > 0 && text[digits] == '\0';
}

bool take_whole(problems *found, const node *n, uint64_t low, uint64_t high, uint64_t *out) {
    if (!scalar_is_number(found, n, "a whole number")) return false;
    if (!exact_digits(n->text, out)) {
        double x;
        if (decimal_read(n->text, &x) != DECIMAL_FINE || x != floor(x)) {
            problem_at(found, at_node(n), "%.80s is not a whole number", n->text);
            return false;
        }
        /* Beyond 2^53 a number with an exponent or a fraction may have been rounded, so it is refused. */
        bool exact = x >= 0.0 && x <= 9007199254740992.0;
        *out = exact ? (uint64_t)x : 0;
        if (exact && *out >= low && *out <= high) return true;
    } else if (*out >= low && *out <= high)
        return true;
    problem_at(found, at_node(n), "%.80s is out of range; it must be a whole number from %" PRIu64 " to %" PRIu64,
               n->text, low, high);
    return false;
}

bool take_flag(problems *found, const node *n, bool *out) {
    if (n->type == NODE_SCALAR && n->plain) {
        bool is_true = strcmp(n->text, "true") == 0;
        if (is_true || strcmp(n->text, "false") == 0) {
            *out = is_true;
            return true;
        }
        static const char *const yes[] = {"yes", "y", "on", "true", NULL}, *const no[] = {"no", "n", "off", "false",
                                                                                          NULL};
        if (is_one_of(n->text, yes) || is_one_of(n->text, no)) {
            problem_at(found, at_node(n), "true or false is needed here, not %s; write %s", n->text,
                       is_one_of(n->text, yes) ? "true" : "false");
            return false;
        }
    }
    refuse_node(found, n, "true or false");
    return false;
}

bool is_word(const node *n) {
    return n->type == NODE_SCALAR && (!n->plain || plain_class_of(n->text) == PLAIN_WORD);
}

bool take_text(problems *found, const node *n, const char **out) {
    if (n->type != NODE_SCALAR) {
        refuse_node(found, n, "a text");
        return false;
    }
    plain_class what = n->plain ? plain_class_of(n->text) : PLAIN_WORD;
    if (what == PLAIN_NOTHING)
        refuse_node(found, n, "a text");
    else if (what != PLAIN_WORD)
        problem_at(found, at_node(n), "a text is needed here; to make %.80s one, put it in quotes: \"%.80s\"", n->text,
                   n->text);
    *out = n->text;
    return what == PLAIN_WORD;
}
