/* SPDX-License-Identifier: MIT */
/*
 * A copy of a part has everything that the part points to: it stays the same when the original is overwritten, and
 * takes exactly the bytes that were announced.
 */
#include <stdlib.h>
#include <string.h>

#include "helpers.h"
#include "menagerie.h"

static void assert_same(const posse_part *a, const posse_part *b) {
    assert_string_equal(a->kind, b->kind);
    assert_int_equal(a->name != NULL, b->name != NULL);
    if (a->name != NULL) assert_string_equal(a->name, b->name);
    for (int i = 0; i < POSSE_OPTIONS_MAX; i++) {
        const posse_option *x = &a->options[i], *y = &b->options[i];
        assert_int_equal(x->key != NULL, y->key != NULL);
        if (x->key == NULL) return;
        assert_string_equal(x->key, y->key);
        assert_memory_equal(&x->number, &y->number, sizeof x->number);
        assert_int_equal(x->word != NULL, y->word != NULL);
        if (x->word != NULL) assert_string_equal(x->word, y->word);
        assert_int_equal(x->count, y->count);
        assert_int_equal(x->list != NULL, y->list != NULL);
        if (x->list != NULL) assert_memory_equal(x->list, y->list, x->count * sizeof *x->list);
        assert_int_equal(x->part != NULL, y->part != NULL);
        size_t parts = x->part == NULL ? 0 : x->list != NULL ? x->count : 1;
        for (size_t k = 0; k < parts; k++) assert_same(&x->part[k], &y->part[k]);
    }
}

/* A part with every type of option, in memory that can be overwritten. */
typedef struct original {
    char texts[8][16];
    double list[3], weights[2];
    posse_part inner[2], alone, whole;
} original;

static void original_write(original *o) {
    static const char *const texts[] = {"mixture", "mine", "gaussian", "mean", "components", "belief", "word", "some"};
    for (int i = 0; i < 8; i++) strcpy(o->texts[i], texts[i]);
    for (int i = 0; i < 3; i++) o->list[i] = i - 0.5;
    o->weights[0] = 1.0, o->weights[1] = 0.25;
    for (int i = 0; i < 2; i++)
        o->inner[i] = (posse_part){.kind = o->texts[2],
                                   .options = {{.key = o->texts[3], .list = o->list, .count = (size_t)(3 - i)}}};
    o->alone = (posse_part){.kind = o->texts[0],
                            .options = {{.key = o->texts[4], .list = o->weights, .part = o->inner, .count = 2}}};
    o->whole = (posse_part){.kind = o->texts[0],
                            .name = o->texts[1],
                            .options = {{.key = o->texts[5], .part = &o->alone},
                                        {.key = o->texts[6], .word = o->texts[7]},
                                        {.key = o->texts[3], .number = -0.0},
                                        {.key = o->texts[4], .list = o->weights, .part = o->inner, .count = 2}}};
}

LAW(a_copy_of_a_part_needs_its_original_no_more) {
    original *o = malloc(sizeof *o), *same = malloc(sizeof *same);
    original_write(o), original_write(same);
    size_t size = posse_part_copy(&o->whole, NULL, 0);
    assert_true(size > sizeof(posse_part));
    char *memory = malloc(size + 16);
    memset(memory, 0x5a, size + 16);
    assert_int_equal(posse_part_copy(&o->whole, memory, size - 1), size);
    for (size_t i = 0; i < size + 16; i++) assert_int_equal(memory[i], 0x5a); /* it did not fit */
    assert_int_equal(posse_part_copy(&o->whole, memory, size), size);
    for (size_t i = size; i < size + 16; i++) assert_int_equal(memory[i], 0x5a);
    memset(o, 0xa5, sizeof *o);
    free(o);
    assert_same((const posse_part *)(void *)memory, &same->whole);
    free(memory);
    free(same);
}

LAW(a_part_inside_itself_is_not_copied) {
    posse_part circle = {.kind = "mixture"};
    circle.options[0] = (posse_option){.key = "belief", .part = &circle};
    assert_int_equal(posse_part_copy(&circle, NULL, 0), 0);
    assert_int_equal(posse_part_copy(NULL, NULL, 0), 0);
}
