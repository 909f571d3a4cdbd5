/* SPDX-License-Identifier: MIT */
/*
 * The parser is a recursive descent, one function per line of the grammar in claim.h. Checking evaluates the tree once
 * per term with dual numbers: the value at the terms' means, and its slope in that term, which is the linearisation
 * that the interval is made of.
 */
#include "experiment/read/claim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "common/series.h"

#include "base/suggestion.h"
#include "data/decimal.h"

typedef enum claim_op {
    OP_NUMBER,
    OP_TERM,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_NEGATE,
    OP_LESS,    /* < and <=, which are the same for a difference of means */
    OP_GREATER, /* > and >= */
    OP_AND
} claim_op;

struct claim_node {
    claim_op op;
    double number;
    size_t term;
    const claim_node *left, *right;
};

/* ------------------------------------------------- parsing ----------------------------------------------------- */

typedef struct parser {
    claim *c;
    pool *memory;
    size_t at;
    size_t nodes, depth;
    size_t column; /* of the problem */
    const char *message;
} parser;

static claim_node *fail_at(parser *p, size_t column, const char *message) {
    if (p->message != NULL) return NULL;
    p->column = column;
    p->message = message;
    return NULL;
}

static void *claim_grab(parser *p, size_t size) {
    void *memory = pool_allocate(p->memory, size);
    if (memory == NULL) fail_at(p, p->at, "there is not enough memory");
    return memory;
}

static claim_node *claim_make(parser *p, claim_op op, const claim_node *left, const claim_node *right) {
    if (p->message != NULL) return NULL;
    if (++p->nodes > CLAIM_NODES_MAX) return fail_at(p, p->at, "the claim is too long");
    claim_node *n = claim_grab(p, sizeof *n);
    if (n != NULL) *n = (claim_node){.op = op, .left = left, .right = right};
    return n;
}

/* The next character that is not a space; 0 at the end. */
static char claim_peek(parser *p) {
    while (ascii_is_space(p->c->holds[p->at])) p->at++;
    return p->c->holds[p->at];
}

static bool claim_accept(parser *p, char c) {
    if (claim_peek(p) != c) return false;
    p->at++;
    return true;
}

/* How many letters and underscores come next. */
static size_t word_length(parser *p) {
    size_t length = 0;
    claim_peek(p);
    while (ascii_is_letter(p->c->holds[p->at + length]) || p->c->holds[p->at + length] == '_') length++;
    return length;
}

static bool word_is(parser *p, const char *word) {
    return word_length(p) == strlen(word) && strncmp(p->c->holds + p->at, word, strlen(word)) == 0;
}

static claim_node *parse_sum(parser *p);

static claim_node *parse_number(parser *p) {
    const char *text = p->c->holds + p->at;
    size_t length = strspn(text, "0123456789.");
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
        size_t digits = strspn(text + length + 1 + sign, "0123456789");
        if (digits > 0) length += 1 + sign + digits;
    }
    double x = 0.0;
    char *copy = claim_grab(p, length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    decimal_status status = decimal_read(copy, &x);
    if (status == DECIMAL_NONE || text[length] == 'x' || text[length] == 'X') /* hexadecimal */
        return fail_at(p, p->at, "that is not a number");
    if (status == DECIMAL_BEYOND) return fail_at(p, p->at, "the number is beyond the range of a number");
    claim_node *n = claim_make(p, OP_NUMBER, NULL, NULL);
    if (n != NULL) n->number = x;
    p->at += length;
    return n;
}

/* A name in double quotes, in which \" is a quote and \\ a backslash. NULL: a problem. */
static const char *parse_name(parser *p) {
    if (claim_peek(p) != '"') {
        fail_at(p, p->at, "a name in double quotes is needed here");
        return NULL;
    }
    size_t start = p->at++, length = 0;
    char *name = claim_grab(p, strlen(p->c->holds + start));
    if (name == NULL) return NULL;
    for (const char *text = p->c->holds; text[p->at] != '"'; p->at++) {
        if (text[p->at] == '\\' && (text[p->at + 1] == '"' || text[p->at + 1] == '\\')) p->at++;
        if (text[p->at] == '\0') {
            fail_at(p, start, "the name has no closing quote");
            return NULL;
        }
        name[length++] = text[p->at];
    }
    p->at++;
    return name;
}

static bool parse_round(parser *p, uint64_t *round) {
    claim_peek(p);
    const char *text = p->c->holds + p->at;
    size_t digits = decimal_read_whole(text, round);
    if (digits == 0 || digits > 18 || text[0] == '0') {
        fail_at(p, p->at, "a round is needed here, a whole number from 1");
        return false;
    }
    p->at += digits;
    return true;
}

static bool same_term(const claim_term *a, const claim_term *b) {
    if (a->quantity != b->quantity || a->round != b->round) return false;
    return a->quantity == CLAIM_BEST_LEARNER || strcmp(a->name, b->name) == 0;
}

static claim_node *claim_add_term(parser *p, const claim_term *term) {
    claim *c = p->c;
    size_t k = 0;
    while (k < c->term_count && !same_term(&c->terms[k], term)) k++;
    if (k == CLAIM_TERMS_MAX) return fail_at(p, term->column, "too many different terms");
    claim_node *n = claim_make(p, OP_TERM, NULL, NULL);
    if (n == NULL) return NULL;
    if (k == c->term_count) c->terms[c->term_count++] = *term;
    n->term = k;
    return n;
}

static claim_node *fail_function(parser *p, size_t length) {
    char word[40], *message = claim_grab(p, 240);
    if (message == NULL) return NULL;
    snprintf(word, sizeof word, "%.*s", (int)(length < 39 ? length : 39), p->c->holds + p->at);
    suggestion near = {.word = word};
    suggestion_consider(&near, "regret");
    suggestion_consider(&near, "optimal");
    suggestion_consider(&near, "value");
    suggestion_consider(&near, "best_learner");
    snprintf(message, 240, "there is no \"%s\"; regret, optimal, value and best_learner can be compared%s", word,
             suggestion_text(&near));
    return fail_at(p, p->at, message);
}

static claim_node *parse_term(parser *p) {
    claim_term term = {.column = p->at};
    size_t length = word_length(p);
    if (word_is(p, "regret"))
        term.quantity = CLAIM_REGRET;
    else if (word_is(p, "optimal"))
        term.quantity = CLAIM_OPTIMAL;
    else if (word_is(p, "value"))
        term.quantity = CLAIM_VALUE;
    else if (word_is(p, "best_learner"))
        term.quantity = CLAIM_BEST_LEARNER;
    else
        return fail_function(p, length);
    p->at += length;
    if (!claim_accept(p, '(')) return fail_at(p, p->at, "\"(\" is needed here");
    if (term.quantity != CLAIM_BEST_LEARNER) {
        term.name = parse_name(p);
        if (term.name == NULL) return NULL;
    }
    bool at_rounds = term.quantity == CLAIM_REGRET || term.quantity == CLAIM_VALUE;
    if (at_rounds && claim_accept(p, ',') && !parse_round(p, &term.round)) return NULL;
    if (!claim_accept(p, ')')) return fail_at(p, p->at, "\")\" is needed here");
    return claim_add_term(p, &term);
}

static claim_node *parse_factor(parser *p) {
    claim_node *n = NULL;
    char c = claim_peek(p);
    if (++p->depth > CLAIM_DEPTH_MAX) return fail_at(p, p->at, "the claim is nested too deeply");
    if (c == '-') {
        p->at++;
        n = parse_factor(p);
        n = claim_make(p, OP_NEGATE, n, NULL);
    } else if (c == '(') {
        p->at++;
        n = parse_sum(p);
        if (n != NULL && !claim_accept(p, ')')) n = fail_at(p, p->at, "\")\" is needed here");
    } else if (ascii_is_digit(c) || c == '.')
        n = parse_number(p);
    else if (word_length(p) > 0)
        n = parse_term(p);
    else
        fail_at(p, p->at, "a number, regret(..), optimal(..), value(..) or best_learner() is needed here");
    p->depth--;
    return n;
}

static claim_node *parse_product(parser *p) {
    claim_node *left = parse_factor(p);
    for (char c; p->message == NULL && ((c = claim_peek(p)) == '*' || c == '/');) {
        p->at++;
        claim_node *right = parse_factor(p);
        left = claim_make(p, c == '*' ? OP_MULTIPLY : OP_DIVIDE, left, right);
    }
    return left;
}

static claim_node *parse_sum(parser *p) {
    claim_node *left = parse_product(p);
    for (char c; p->message == NULL && ((c = claim_peek(p)) == '+' || c == '-');) {
        p->at++;
        claim_node *right = parse_product(p);
        left = claim_make(p, c == '+' ? OP_ADD : OP_SUBTRACT, left, right);
    }
    return left;
}

static claim_node *parse_comparison(parser *p) {
    claim_node *left = parse_sum(p);
    if (p->message != NULL) return NULL;
    char c = claim_peek(p);
    if (c != '<' && c != '>') return fail_at(p, p->at, "a comparison is needed here: <, <=, > or >=");
    p->at++;
    if (p->c->holds[p->at] == '=') p->at++;
    claim_node *right = parse_sum(p);
    return claim_make(p, c == '<' ? OP_LESS : OP_GREATER, left, right);
}

bool claim_parse(claim *c, pool *memory, size_t *column, const char **message) {
    parser p = {.c = c, .memory = memory};
    c->term_count = 0;
    c->terms = claim_grab(&p, CLAIM_TERMS_MAX * sizeof *c->terms);
    claim_node *root = p.message == NULL ? parse_comparison(&p) : NULL;
    while (p.message == NULL && word_is(&p, "and")) {
        p.at += strlen("and");
        claim_node *right = parse_comparison(&p);
        root = claim_make(&p, OP_AND, root, right);
    }
    if (p.message == NULL && claim_peek(&p) != '\0') fail_at(&p, p.at, "\"and\" or the end is needed here");
    if (p.message == NULL && c->term_count == 0) fail_at(&p, 0, "it compares nothing that the experiment measures");
    c->root = root;
    *column = p.column;
    *message = p.message;
    return p.message == NULL;
}

/* ------------------------------------------------- checking ---------------------------------------------------- */

/* A value and its slope in one of the terms. */
typedef struct dual {
    double value, slope;
} dual;

static dual claim_evaluate(const claim_node *n, const claim_sample *s, size_t term) {
    if (n->op == OP_NUMBER) return (dual){n->number, 0.0};
    if (n->op == OP_TERM) return (dual){s->means[n->term], n->term == term ? 1.0 : 0.0};
    dual a = claim_evaluate(n->left, s, term);
    if (n->op == OP_NEGATE) return (dual){-a.value, -a.slope};
    dual b = claim_evaluate(n->right, s, term);
    switch (n->op) {
    case OP_ADD:
        return (dual){a.value + b.value, a.slope + b.slope};
    case OP_SUBTRACT:
    case OP_GREATER: /* the margin: left less right */
        return (dual){a.value - b.value, a.slope - b.slope};
    case OP_LESS:
        return (dual){b.value - a.value, b.slope - a.slope};
    case OP_MULTIPLY:
        return (dual){a.value * b.value, a.slope * b.value + a.value * b.slope};
    default: {
        double quotient = a.value / b.value;
        return (dual){quotient, (a.slope - quotient * b.slope) / b.value};
    }
    }
}

static claim_verdict claim_judge(double margin, double ci95) {
    if (margin > ci95) return CLAIM_HOLDS;
    if (margin < -ci95) return CLAIM_FAILS;
    return CLAIM_UNDECIDED; /* also where there is no interval: one run, or a division by zero */
}

/* The squares of sum_k slope_k (x_kr - mean_k), added up over the runs r, follow from the products of pairs. */
static claim_result claim_compare(const claim_node *comparison, const claim *c, const claim_sample *s) {
    double slopes[CLAIM_TERMS_MAX], squares = 0.0;
    dual d = {0};
    for (size_t k = 0; k < c->term_count; k++) {
        d = claim_evaluate(comparison, s, k);
        slopes[k] = d.slope;
    }
    for (size_t j = 0; j < c->term_count; j++)
        for (size_t k = 0; k < c->term_count; k++)
            squares += slopes[j] * slopes[k] * s->products[j * c->term_count + k];
    if (squares < 0.0) squares = 0.0; /* terms that vary together cancel, except for rounding */
    double ci95 = series_ci95(squares, s->runs);
    return (claim_result){claim_judge(d.value, ci95), d.value, ci95};
}

/* How clearly a comparison supports the claim: its margin in half-widths. Without an interval that is 0. */
static double claim_clearness(const claim_result *r) {
    double ratio = r->margin / r->ci95;
    return isnan(ratio) ? 0.0 : ratio;
}

/* The least clear comparison decides: the claim fails if any comparison fails, and holds only if all hold. */
static claim_result claim_check_node(const claim_node *n, const claim *c, const claim_sample *s) {
    if (n->op != OP_AND) return claim_compare(n, c, s);
    claim_result left = claim_check_node(n->left, c, s), right = claim_check_node(n->right, c, s);
    return claim_clearness(&right) < claim_clearness(&left) ? right : left;
}

claim_result claim_check(const claim *c, const claim_sample *s) {
    return claim_check_node(c->root, c, s);
}

const char *claim_verdict_name(claim_verdict verdict) {
    static const char *const names[] = {
        [CLAIM_HOLDS] = "holds", [CLAIM_FAILS] = "fails", [CLAIM_UNDECIDED] = "undecided"};
    return names[verdict];
}
