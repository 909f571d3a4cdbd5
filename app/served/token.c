/* SPDX-License-Identifier: MIT */
#include "served/token.h"

#define SIGNED_BYTES 12 /* the id and the arm */
#define TOKEN_BYTES 18  /* and 48 bits of the hash: a multiple of 3, so that base64 has no padding */

/* RFC 4648, section 5. */
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static void token_put(uint8_t *bytes, uint64_t word, int count) {
    for (int i = 0; i < count; i++) bytes[i] = (uint8_t)(word >> (8 * i));
}

static uint64_t token_get(const uint8_t *bytes, int count) {
    uint64_t word = 0;
    for (int i = 0; i < count; i++) word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

void token_write(const uint8_t key[SIPHASH_KEY], token t, char text[TOKEN_TEXT + 1]) {
    uint8_t bytes[TOKEN_BYTES];
    token_put(bytes, t.id, 8);
    token_put(bytes + 8, (uint32_t)t.arm, 4);
    token_put(bytes + SIGNED_BYTES, siphash(key, bytes, SIGNED_BYTES), TOKEN_BYTES - SIGNED_BYTES);
    for (int i = 0; i < TOKEN_BYTES; i += 3, text += 4) {
        uint32_t three = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];
        for (int k = 0; k < 4; k++) text[k] = alphabet[three >> (18 - 6 * k) & 63];
    }
    *text = '\0';
}

/* This is a table because the branches of comparisons could not be predicted. */
const uint8_t token_places[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,  ['H'] = 8,
    ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
    ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
    ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
    ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40,
    ['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
    ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['-'] = 63, ['_'] = 64};

/* False: there are other characters. */
static bool token_decode(const char *text, uint8_t bytes[TOKEN_BYTES]) {
    for (int i = 0; i < TOKEN_BYTES; i += 3, text += 4) {
        uint32_t three = 0;
        for (int k = 0; k < 4; k++) {
            uint8_t place = token_places[(uint8_t)text[k]];
            if (place == 0) return false;
            three = three << 6 | (uint32_t)(place - 1);
        }
        for (int k = 0; k < 3; k++) bytes[i + k] = (uint8_t)(three >> (16 - 8 * k));
    }
    return true;
}

token_fault token_read(const uint8_t key[SIPHASH_KEY], const char *text, size_t length, token *out) {
    uint8_t bytes[TOKEN_BYTES];
    if (length != TOKEN_TEXT || !token_decode(text, bytes)) return TOKEN_MALFORMED;
    uint64_t mask = (UINT64_C(1) << 48) - 1;
    uint64_t hash = siphash(key, bytes, SIGNED_BYTES) & mask;
    /* One comparison of whole words, so that the time does not show how many bits were right. */
    if ((hash ^ token_get(bytes + SIGNED_BYTES, TOKEN_BYTES - SIGNED_BYTES)) != 0) return TOKEN_FORGED;
    *out = (token){token_get(bytes, 8), (int)(int32_t)token_get(bytes + 8, 4)};
    return TOKEN_FINE;
}
