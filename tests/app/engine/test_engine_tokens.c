/* SPDX-License-Identifier: MIT */
/* Tokens of decisions: the keyed hash against published values, and no token survives a change. */
#include <string.h>

#include "asking.h"
#include "law.h"

/* From the reference implementation (siphash/vectors.h): key 00 01 .. 0f, and messages 00 01 .. of each length. */
static const uint8_t published[][8] = {
    {0x31, 0x0e, 0x0e, 0xdd, 0x47, 0xdb, 0x6f, 0x72}, {0xfd, 0x67, 0xdc, 0x93, 0xc5, 0x39, 0xf8, 0x74},
    {0x5a, 0x4f, 0xa9, 0xd9, 0x09, 0x80, 0x6c, 0x0d}, {0x2d, 0x7e, 0xfb, 0xd7, 0x96, 0x66, 0x67, 0x85},
    {0xb7, 0x87, 0x71, 0x27, 0xe0, 0x94, 0x27, 0xcf}, {0x8d, 0xa6, 0x99, 0xcd, 0x64, 0x55, 0x76, 0x18},
    {0xce, 0xe3, 0xfe, 0x58, 0x6e, 0x46, 0xc9, 0xcb}, {0x37, 0xd1, 0x01, 0x8b, 0xf5, 0x00, 0x02, 0xab},
    {0x62, 0x24, 0x93, 0x9a, 0x79, 0xf5, 0xf5, 0x93}, {0xb0, 0xe4, 0xa9, 0x0b, 0xdf, 0x82, 0x00, 0x9e},
};

LAW(siphash_gives_the_published_values) {
    uint8_t key[SIPHASH_KEY], message[16];
    for (int i = 0; i < 16; i++) key[i] = message[i] = (uint8_t)i;
    for (size_t length = 0; length < sizeof published / sizeof *published; length++) {
        uint64_t hash = siphash(key, message, length);
        for (int i = 0; i < 8; i++)
            assert_that((uint8_t)(hash >> (8 * i)) == published[length][i], "length %zu, byte %d", length, i);
    }
    assert_true(siphash(key, message, 15) == UINT64_C(0xa129ca6149be45e5)); /* the paper, appendix A */
}

LAW(tokens_bring_back_what_they_were_given) {
    const uint8_t key[SIPHASH_KEY] = {1, 2, 3}, other[SIPHASH_KEY] = {1, 2, 4};
    const token all[] = {{1, 0}, {UINT64_C(0x7fffffff00000001), 999999}, {7, -1}, {8, POSSE_ARM_UNTOLD}, {0, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char text[TOKEN_TEXT + 1];
        token back;
        token_write(key, all[i], text);
        assert_int_equal(strlen(text), TOKEN_TEXT);
        assert_int_equal(strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"), TOKEN_TEXT);
        assert_int_equal(token_read(key, text, TOKEN_TEXT, &back), TOKEN_FINE);
        assert_true(back.id == all[i].id && back.arm == all[i].arm);
        assert_int_equal(token_read(other, text, TOKEN_TEXT, &back), TOKEN_FORGED);
    }
}

LAW(no_token_survives_a_change) {
    const uint8_t key[SIPHASH_KEY] = {9};
    char text[TOKEN_TEXT + 2], changed[TOKEN_TEXT + 2];
    token back;
    token_write(key, (token){UINT64_C(0x1234567800000042), 3}, text);
    for (int at = 0; at < TOKEN_TEXT; at++)
        for (int c = 1; c < 256; c++) {
            memcpy(changed, text, sizeof text);
            changed[at] = (char)c;
            if (changed[at] == text[at]) continue;
            assert_that(token_read(key, changed, TOKEN_TEXT, &back) != TOKEN_FINE, "%s is taken for %s", changed, text);
        }
    assert_int_equal(token_read(key, text, TOKEN_TEXT - 1, &back), TOKEN_MALFORMED);
    assert_int_equal(token_read(key, text, TOKEN_TEXT + 1, &back), TOKEN_MALFORMED);
    assert_int_equal(token_read(key, "", 0, &back), TOKEN_MALFORMED);
}
