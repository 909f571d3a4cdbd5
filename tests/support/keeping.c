/* SPDX-License-Identifier: MIT */
#include "keeping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object/object.h"
#include "object/recipe.h"

/* --------------------------------------------------- notes ---------------------------------------------------- */

static void notes_write(void *context, const posse_place *place, const char *message) {
    notes *n = context;
    char where[200];
    size_t used = strlen(n->text);
    posse_place_text(place, where, sizeof where);
    snprintf(n->text + used, sizeof n->text - used, "%s%s%s\n", where, place != NULL ? ": " : "", message);
    n->count++;
}

posse_logger notes_logger(notes *n) {
    return (posse_logger){notes_write, n};
}

void assert_noted(const notes *n, const char *excerpt) {
    assert_that(strstr(n->text, excerpt) != NULL, "the log does not say \"%s\" but: %s", excerpt, n->text);
}

/* ------------------------------------------------ saved states ------------------------------------------------ */

saved saved_from(const posse *p) {
    saved s = {NULL, 0};
    assert_int_equal(posse_save(p, NULL, &s.length), POSSE_OK);
    s.bytes = malloc(s.length);
    assert_non_null(s.bytes);
    assert_int_equal(posse_save(p, s.bytes, &s.length), POSSE_OK);
    return s;
}

void saved_drop(saved *s) {
    free(s->bytes);
    *s = (saved){NULL, 0};
}

bool saved_equal(const saved *a, const saved *b) {
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

void saved_seal(saved *s) {
    reader r = {.in = s->bytes + 8, .left = 8};
    writer w = {s->bytes + 16, 0};
    write_word(&w, s->length - SAVED_HEADER);
    write_word(&w, saved_checksum(read_word(&r), s->bytes + SAVED_HEADER, s->length - SAVED_HEADER));
}

posse *saved_loaded(const saved *s) {
    posse *p;
    posse_error error = posse_load_exact(s->bytes, s->length, NULL, &p);
    assert_that(error == POSSE_OK, "a saved posse cannot be loaded: %s", posse_error_name(error));
    return p;
}

/* The saved bytes before the description of the selector, without the header, and those after it. */
typedef struct halves {
    const uint8_t *first, *second;
    size_t before, behind;
} halves;

static halves halves_of(const posse *p, const saved *s) {
    writer count = {NULL, 0};
    recipe_write(&count, p->selector_recipe);
    uint8_t *recipe = malloc(count.length);
    assert_non_null(recipe);
    recipe_write(&(writer){recipe, 0}, p->selector_recipe);
    size_t at = SAVED_HEADER;
    while (at + count.length <= s->length && memcmp(s->bytes + at, recipe, count.length) != 0) at++;
    free(recipe);
    size_t end = at + count.length;
    assert_that(end <= s->length, "the selector's description is not in what is saved");
    return (halves){s->bytes + SAVED_HEADER, s->bytes + end, at - SAVED_HEADER, s->length - end};
}

void assert_saved_alike(const posse *a, const posse *b) {
    saved s = saved_from(a), t = saved_from(b);
    halves x = halves_of(a, &s), y = halves_of(b, &t);
    assert_true(x.before == y.before && x.behind == y.behind && x.behind > a->selector.part.state_size);
    assert_memory_equal(x.first, y.first, x.before);
    assert_memory_equal(x.second, y.second, x.behind);
    saved_drop(&s);
    saved_drop(&t);
}
