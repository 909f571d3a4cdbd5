/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the readers of descriptions and tokens. Whatever the bytes, they are read as the description of a posse or
 * refused with problems that have texts. As the token of a decision they are refused, because the input was not made
 * with the key.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "served/description.h"
#include "served/token.h"

static void expect(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void read_description(const char *text, size_t length) {
    problems found;
    description d;
    problems_open(&found, NULL);
    pool *memory = pool_create(NULL);
    bool fine = description_read(text, length, memory, &found, &d);
    expect(fine == (found.count == 0), "it is taken with problems, or refused without a word");
    expect(!fine || description_is_name(d.name), "it has no name");
    for (size_t i = 0; i < problems_kept(&found); i++)
        expect(found.list[i].path != NULL && found.list[i].text[0] != '\0', "a problem without a word");
    pool_free(memory);
    problems_close(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t key[SIPHASH_KEY] = {3, 1, 4, 1, 5, 9, 2, 6};
    token t;
    char *text = malloc(size > 0 ? size : 1); /* of the exact size, so that a sanitizer notices reads behind it */
    if (text == NULL) return 0;
    memcpy(text, data, size);
    expect(token_read(key, text, size, &t) != TOKEN_FINE, "a token was forged");
    read_description(text, size);
    free(text);
    return 0;
}
