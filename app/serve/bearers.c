/* SPDX-License-Identifier: MIT */
#include "serve/bearers.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "common/file.h"
#include "served/description.h"

#define FILE_BYTES_MAX (4u << 20)

struct right {
    uint8_t hash[SHA256_BYTES];
    unsigned roles;
    char posse[POSSE_NAME_MAX + 1]; /* empty: all */
};

struct bearers {
    right *list;
    size_t count, room;
};

void bearers_hash(const char *token, size_t length, uint8_t hash[SHA256_BYTES]) {
    if (EVP_Digest(token, length, hash, NULL, EVP_sha256(), NULL) != 1) memset(hash, 0, SHA256_BYTES);
}

/* ------------------------------------------------------ reading -------------------------------------------------- */

static int hex_digit(char c) {
    return ascii_is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_hash(const char *word, uint8_t hash[SHA256_BYTES]) {
    if (strlen(word) != (size_t)2 * SHA256_BYTES) return false;
    for (int i = 0; i < SHA256_BYTES; i++) {
        int high = hex_digit(word[2 * i]), low = hex_digit(word[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        hash[i] = (uint8_t)(16 * high + low);
    }
    return true;
}

static bool read_roles(char *word, unsigned *roles) {
    char *rest = word, *role;
    *roles = 0;
    while ((role = strsep(&rest, ",")) != NULL) {
        if (strcmp(role, "decide") == 0)
            *roles |= ROLE_DECIDE;
        else if (strcmp(role, "learn") == 0)
            *roles |= ROLE_LEARN;
        else if (strcmp(role, "admin") == 0)
            *roles |= ROLE_ALL;
        else
            return false;
    }
    return *roles != 0;
}

static const char *read_right(char *words[4], right *out) {
    if (words[2] == NULL || words[3] != NULL) return "a line is the SHA-256 of a token, its roles, and a posse or *";
    if (!read_hash(words[0], out->hash))
        return "a line begins with the SHA-256 of a token, 64 digits 0-9a-f, and not with the token itself";
    if (!read_roles(words[1], &out->roles)) return "roles are decide, learn and admin, with commas between them";
    bool all = strcmp(words[2], "*") == 0;
    if (!all && !description_is_name(words[2])) return "behind the roles there must be the name of a posse, or *";
    snprintf(out->posse, sizeof out->posse, "%s", all ? "" : words[2]);
    return NULL;
}

/* NULL: the line is fine, or there is nothing on it. */
static const char *bearers_read_line(bearers *b, char *line) {
    char *words[4] = {NULL}, *rest = line, *word;
    line[strcspn(line, "#\r")] = '\0';
    for (int i = 0; i < 4 && (word = strsep(&rest, " \t")) != NULL;)
        if (*word != '\0') words[i++] = word;
    if (words[0] == NULL) return NULL;
    if (b->count == b->room) {
        size_t room = 2 * b->room + 16;
        right *larger = realloc(b->list, room * sizeof *larger);
        if (larger == NULL) return "there is not enough memory";
        b->list = larger;
        b->room = room;
    }
    const char *wrong = read_right(words, &b->list[b->count]);
    if (wrong == NULL) b->count++;
    return wrong;
}

/* By token, and then by posse: what holds for all posses comes first. */
static int bearers_compare(const void *a_, const void *b_) {
    const right *a = a_, *b = b_;
    int order = memcmp(a->hash, b->hash, SHA256_BYTES);
    return order != 0 ? order : strcmp(a->posse, b->posse);
}

static bool read_lines(bearers *b, const char *path, char *text, char why[300]) {
    char *rest = text, *line;
    for (int number = 1; (line = strsep(&rest, "\n")) != NULL; number++) {
        const char *wrong = bearers_read_line(b, line);
        if (wrong == NULL) continue;
        snprintf(why, 300, "%.120s:%d: %s", path, number, wrong);
        return false;
    }
    if (b->count == 0)
        snprintf(why, 300, "%.120s: there is no token in it", path);
    else
        qsort(b->list, b->count, sizeof *b->list, bearers_compare);
    return b->count > 0;
}

bearers *bearers_read(const char *path, char why[300]) {
    size_t size;
    char *text = file_read(path, FILE_BYTES_MAX, &size);
    bearers *b = text != NULL ? calloc(1, sizeof *b) : NULL;
    if (b == NULL) snprintf(why, 300, "%.120s: cannot be read: %s", path, strerror(errno));
    if (b != NULL && !read_lines(b, path, text, why)) {
        bearers_free(b);
        b = NULL;
    }
    free(text);
    return b;
}

void bearers_free(bearers *b) {
    if (b != NULL) free(b->list);
    free(b);
}

/* ------------------------------------------------------ asking --------------------------------------------------- */

/* All lines are compared, so that the time does not show which one matched. */
bearer bearers_find(const bearers *b, const uint8_t hash[SHA256_BYTES]) {
    size_t first = 0, count = 0;
    for (size_t i = 0; i < b->count; i++) {
        bool same = CRYPTO_memcmp(b->list[i].hash, hash, SHA256_BYTES) == 0;
        first += same && count == 0 ? i : 0;
        count += same;
    }
    return (bearer){b->list + first, count};
}

/* The roles of the lines about a posse, "" for all posses; they follow each other. */
static unsigned roles_about(const bearer *who, const char *name) {
    unsigned roles = 0;
    size_t low = 0, high = who->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(who->rights[middle].posse, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < who->count && strcmp(who->rights[low].posse, name) == 0; low++) roles |= who->rights[low].roles;
    return roles;
}

unsigned bearer_roles(const bearer *who, const char *name) {
    return roles_about(who, "") | (name != NULL ? roles_about(who, name) : 0);
}

bool bearer_has(const bearer *who, unsigned role) {
    unsigned all = 0;
    for (size_t i = 0; i < who->count; i++) all |= who->rights[i].roles;
    return (all & role) != 0;
}
