/* SPDX-License-Identifier: MIT */
#include "experiment/play/launcher.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/decimal.h"

static const struct {
    const char *count, *rank;
} variables[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, /* Open MPI's mpirun */
    {"PMI_SIZE", "PMI_RANK"},                         /* MPICH's, and srun --mpi=pmi2 */
    {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"},            /* srun --mpi=pmix */
};

static int launcher_number(const char *variable) {
    const char *text = getenv(variable);
    uint64_t number;
    bool fine = text != NULL && decimal_read_whole(text, &number) > 0 && number <= INT_MAX;
    return fine ? (int)number : -1;
}

static int find_rank(void) {
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        if (launcher_number(variables[i].count) > 1 && launcher_number(variables[i].rank) >= 0)
            return launcher_number(variables[i].rank);
    return -1;
}

bool launcher_is_there(void) {
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        if (launcher_number(variables[i].count) > 0 && launcher_number(variables[i].rank) >= 0) return true;
    return false;
}

bool launcher_has_many(void) {
    return find_rank() >= 0;
}

bool launcher_has_one_machine(void) {
    int count = launcher_number("OMPI_COMM_WORLD_SIZE");
    return count > 0 && count == launcher_number("OMPI_COMM_WORLD_LOCAL_SIZE");
}

int launcher_rank(void) {
    return launcher_has_many() ? find_rank() : 0;
}

void launcher_silence(void) {
    if (launcher_rank() == 0) return;
    FILE *out = freopen("/dev/null", "w", stdout), *error = freopen("/dev/null", "w", stderr);
    if (out == NULL || error == NULL) return; /* then this process prints, too */
}
