/* SPDX-License-Identifier: MIT */
/*
 * ranks.h in a build without MPI: there is only rank 0.
 */
#include "experiment/play/launcher.h"
#include "experiment/play/ranks.h"

const char *ranks_begin(void) {
    return launcher_has_many() ? "this posse was built without MPI, and mpirun would only run the same thing many times"
                               : NULL;
}

void ranks_end(void) {}

int ranks_count(void) {
    return 1;
}

int ranks_own(void) {
    return 0;
}

int ranks_here(void) {
    return 1;
}

uint64_t ranks_first(uint64_t value) {
    return value;
}

uint64_t ranks_largest(uint64_t value) {
    return value;
}

uint64_t ranks_sum(uint64_t value) {
    return value;
}

bool ranks_receive(int from, void *block, size_t size) {
    (void)from, (void)block, (void)size;
    return false;
}

bool ranks_trouble(char text[RANKS_TEXT]) {
    (void)text;
    return false;
}

void ranks_dismiss(void *scratch, size_t size) {
    (void)scratch, (void)size;
}

void ranks_send(const void *block, size_t size) {
    (void)block, (void)size;
}

void ranks_complain(const char *text) {
    (void)text;
}

void ranks_rest(void) {}

bool ranks_dismissed(void) {
    return true;
}
