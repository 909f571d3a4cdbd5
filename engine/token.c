/* SPDX-License-Identifier: MIT */
#include "engine/token.h"

#define SIGNED_BYTES 12 /* the id and the arm */
#define TOKEN_BYTES 18  /* and 48 bits of the hash: a multiple of 3, so that base64 has no padding */

/* RFC 4648, section 5. */
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static void put(uint8_t *bytes, uint64_t word, int count) {
    for (int i = 0; i < count; i++) bytes[i] = (uint8_t)(word >> (8 * i));
}

static uint64_t get(const uint8_t *bytes, int count) {
    uint64_t word = 0;
    for (int i = 0; i < count; i++) word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

void token_write(const uint8_t key[SIPHASH_KEY], token t, char text[TOKEN_TEXT + 1]) {
    uint8_t bytes[TOKEN_BYTES];
    put(bytes, t.id, 8);
    put(bytes + 8, (uint32_t)t.arm, 4);
    put(bytes + SIGNED_BYTES, siphash(key, bytes, SIGNED_BYTES), TOKEN_BYTES - SIGNED_BYTES);
    for (int i = 0; i < TOKEN_BYTES; i += 3, text += 4) {
        uint32_t three = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];
        for (int k = 0; k < 4; k++) text[k] = alphabet[three >> (18 - 6 * k) & 63];
    }
    *text = '\0';
}

static int digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

/* False: there are other characters. */
static bool decode(const char *text, uint8_t bytes[TOKEN_BYTES]) {
    for (int i = 0; i < TOKEN_BYTES; i += 3, text += 4) {
        uint32_t three = 0;
        for (int k = 0; k < 4; k++) {
            int value = digit(text[k]);
            if (value < 0) return false;
            three = three << 6 | (uint32_t)value;
        }
        for (int k = 0; k < 3; k++) bytes[i + k] = (uint8_t)(three >> (16 - 8 * k));
    }
    return true;
}

token_fault token_read(const uint8_t key[SIPHASH_KEY], const char *text, size_t length, token *out) {
    uint8_t bytes[TOKEN_BYTES];
    if (length != TOKEN_TEXT || !decode(text, bytes)) return TOKEN_MALFORMED;
    uint64_t mask = (UINT64_C(1) << 48) - 1;
    uint64_t hash = siphash(key, bytes, SIGNED_BYTES) & mask;
    /* One comparison of whole words: how long it takes does not tell how many bits were right. */
    if ((hash ^ get(bytes + SIGNED_BYTES, TOKEN_BYTES - SIGNED_BYTES)) != 0) return TOKEN_FORGED;
    *out = (token){get(bytes, 8), (int)(int32_t)get(bytes + 8, 4)};
    return TOKEN_FINE;
}
