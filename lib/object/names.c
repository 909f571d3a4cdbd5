/* SPDX-License-Identifier: MIT */
/*
 * The names of the arms. Everything else in the library knows arms by their indices, so a name changes no decision. A
 * name is found by a hash table with open addressing. Names are never removed, because they stay taken.
 */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "object/object.h"

/* ---------------------------------------------------- the table --------------------------------------------------- */

static size_t names_home(const arm_names *n, const char *name) {
    return (size_t)hash_bytes(name, strlen(name)) & (n->slot_count - 1);
}

static void names_enter(arm_names *n, int arm) {
    size_t slot = names_home(n, n->list[arm]);
    while (n->slots[slot] != 0) slot = (slot + 1) & (n->slot_count - 1);
    n->slots[slot] = (uint32_t)arm + 1;
}

static int names_lookup(const arm_names *n, const char *name) {
    for (size_t slot = names_home(n, name); n->slots[slot] != 0; slot = (slot + 1) & (n->slot_count - 1)) {
        int arm = (int)n->slots[slot] - 1;
        if (strcmp(n->list[arm], name) == 0) return arm;
    }
    return -1;
}

/* Makes room for `count` names. On POSSE_ERROR_MEMORY, all names are still there. */
static posse_error names_reserve(posse *p, int count) {
    arm_names *n = p->names;
    const posse_allocator *allocator = &p->host.allocator;
    if (count <= n->room) return POSSE_OK;
    int room = n->room > 0 ? 2 * n->room : 4;
    if (room < count) room = count;
    size_t slot_count = 8;
    while (slot_count < 2 * (size_t)room) slot_count *= 2;
    uint32_t *slots = memory_allocate(allocator, slot_count * sizeof *slots);
    char **list = slots != NULL ? memory_grow(allocator, n->list, (size_t)room * sizeof *list) : NULL;
    if (list == NULL) {
        memory_release(allocator, slots);
        return POSSE_ERROR_MEMORY;
    }
    memory_release(allocator, n->slots);
    n->list = list;
    n->room = room;
    n->slots = slots;
    n->slot_count = slot_count;
    for (int a = 0; a < n->count; a++) names_enter(n, a);
    return POSSE_OK;
}

/* ----------------------------------------------------- a name ----------------------------------------------------- */

static posse_error names_check(const posse *p, const char *name, const posse_place *where) {
    const posse_logger *log = &p->host.log;
    size_t length = strlen(name), valid = utf8_valid(name);
    int owner = names_lookup(p->names, name);
    if (length == 0)
        complain(log, where, NULL, "the name of an arm is empty");
    else if (length > POSSE_ARM_NAME_MAX)
        complain(log, where, NULL, "the name of an arm has %zu bytes; at most %d", length, POSSE_ARM_NAME_MAX);
    else if (valid < length)
        complain(log, where, NULL, "the name of an arm is not UTF-8: its byte %zu is 0x%02x", valid + 1,
                 (unsigned char)name[valid]);
    else if (owner >= 0 && !space_has(p->space, owner))
        complain(log, where, NULL, "\"%s\" is the name of arm %d, which is retired; names stay taken", name, owner);
    else if (owner >= 0)
        complain(log, where, NULL, "\"%s\" is the name of arm %d; names must differ", name, owner);
    else
        return POSSE_OK;
    return POSSE_ERROR_NAME;
}

static char *names_copy(const posse *p, const char *name) {
    char *copy = memory_allocate(&p->host.allocator, strlen(name) + 1);
    return copy != NULL ? strcpy(copy, name) : NULL;
}

void names_take(posse *p, char *name) {
    p->names->list[p->names->count] = name;
    names_enter(p->names, p->names->count++);
}

void names_drop(posse *p, char *name) {
    memory_release(&p->host.allocator, name);
}

/* ---------------------------------------------------- all names --------------------------------------------------- */

#define NUMBER_TEXT 12

static const char *names_number(int arm, char text[NUMBER_TEXT]) {
    snprintf(text, NUMBER_TEXT, "%d", arm);
    return text;
}

void names_release(posse *p) {
    arm_names *n = p->names;
    if (n == NULL) return;
    while (n->count > 0) names_drop(p, n->list[--n->count]);
    memory_release(&p->host.allocator, n->list);
    memory_release(&p->host.allocator, n->slots);
    memory_release(&p->host.allocator, n);
    p->names = NULL;
}

/* Takes a name for the next arm. names NULL: the number of the arm. */
static posse_error names_append(posse *p, const char *const *names) {
    char number[NUMBER_TEXT];
    int arm = p->names->count;
    posse_place where = {NULL, "arms", arm};
    const char *name = names != NULL ? names[arm] : names_number(arm, number);
    posse_error error = name != NULL ? names_check(p, name, &where) : POSSE_ERROR_ARGUMENT;
    if (error != POSSE_OK) return error;
    char *copy = names_copy(p, name);
    if (copy == NULL) return POSSE_ERROR_MEMORY;
    names_take(p, copy);
    return POSSE_OK;
}

/* names NULL: numbers. */
static posse_error names_fill(posse *p, const char *const *names) {
    p->names = memory_allocate(&p->host.allocator, sizeof *p->names);
    posse_error error = p->names != NULL ? names_reserve(p, p->space->arms) : POSSE_ERROR_MEMORY;
    while (error == POSSE_OK && p->names->count < p->space->arms) error = names_append(p, names);
    if (error != POSSE_OK) names_release(p);
    return error;
}

posse_error names_open(posse *p, const char *const *names, int joins) {
    if (names == NULL && joins == 0) return POSSE_OK;
    if (p->space->arms == 0) {
        complain(&p->host.log, NULL, names != NULL ? "arms" : "joins", "there are no separate arms");
        return POSSE_ERROR_FIT;
    }
    posse_error error = names_fill(p, names);
    if (error == POSSE_OK) p->names->joins = joins;
    return error;
}

posse_error names_prepare(posse *p, const char *name, char **out) {
    char number[NUMBER_TEXT];
    posse_place where = {NULL, "name", -1};
    *out = NULL;
    if (name == NULL && p->names == NULL) return POSSE_OK;
    if (name == NULL) name = names_number(p->space->arms, number);
    posse_error error = p->names == NULL ? names_fill(p, NULL) : POSSE_OK;
    if (error == POSSE_OK) error = names_check(p, name, &where);
    if (error == POSSE_OK) error = names_reserve(p, p->space->arms + 1);
    if (error != POSSE_OK) return error;
    *out = names_copy(p, name);
    return *out != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* ------------------------------------------------- the public calls ----------------------------------------------- */

const char *posse_arm_name(const posse *p, int arm) {
    bool named = p != NULL && p->names != NULL && arm >= 0 && arm < p->names->count;
    return named ? p->names->list[arm] : NULL;
}

/* The number that a text is, written as printf would; -1: none. */
static int names_read_number(const posse *p, const char *text) {
    int number = 0, at = 0;
    for (; at < 7 && text[at] >= '0' && text[at] <= '9'; at++) number = 10 * number + (text[at] - '0');
    bool plain = at > 0 && text[at] == '\0' && (at == 1 || text[0] != '0');
    return plain && number < p->space->arms ? number : -1;
}

int posse_arm_find(const posse *p, const char *name) {
    if (p == NULL || name == NULL) return -1;
    return p->names != NULL ? names_lookup(p->names, name) : names_read_number(p, name);
}
