/* SPDX-License-Identifier: MIT */
#include "experiment/play/ranks.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "experiment/play/launcher.h"

enum { TAG_BLOCK = 1, TAG_TROUBLE, TAG_DISMISS, TAG_FAREWELL };

static int count = 1, own, here = 1;

#define FIRST_PAUSE 25000l /* nanoseconds */
#define LAST_PAUSE 1600000l
#define TENTH_OF_A_SECOND 100000000l

/*
 * MPI waits by polling, which would take a processor from the threads that play. So these functions poll with pauses,
 * which are short at first and become longer.
 */
static void wait_a_moment(long *pause) {
    *pause = *pause == 0 ? FIRST_PAUSE : *pause < LAST_PAUSE ? 2 * *pause : LAST_PAUSE;
    nanosleep(&(struct timespec){.tv_nsec = *pause}, NULL);
}

static void ranks_await(MPI_Request *request) {
    long pause = 0;
    for (int done = 0; !done;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done) wait_a_moment(&pause);
    }
}

static bool ranks_arrived(int from, int tag, MPI_Status *status) {
    int there = 0;
    MPI_Iprobe(from, tag, MPI_COMM_WORLD, &there, status);
    return there != 0;
}

/* --------------------------------------------- beginning, ending ------------------------------------------- */

/*
 * Open MPI looks for fast networks before it begins, which takes a fifth of a second. If all ranks are on one machine,
 * there is nothing to find. A setting that the user has made stays.
 */
static void spare_the_search(void) {
    if (launcher_has_one_machine()) setenv("OMPI_MCA_pml", "ob1", 0);
}

const char *ranks_begin(void) {
    int provided;
    if (!launcher_has_many()) return NULL;
    spare_the_search();
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return "MPI cannot be started";
    MPI_Comm machine;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, own, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_free(&machine);
    return NULL;
}

void ranks_end(void) {
    int begun;
    MPI_Initialized(&begun);
    if (begun) MPI_Finalize();
}

int ranks_count(void) {
    return count;
}

int ranks_own(void) {
    return own;
}

int ranks_here(void) {
    return here;
}

/* ---------------------------------------------- all at one point ------------------------------------------- */

uint64_t ranks_first(uint64_t value) {
    MPI_Request request;
    if (count == 1) return value;
    MPI_Ibcast(&value, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request);
    ranks_await(&request);
    return value;
}

static uint64_t ranks_reduce(uint64_t value, MPI_Op how) {
    MPI_Request request;
    uint64_t answer = value;
    if (count == 1) return value;
    MPI_Iallreduce(&value, &answer, 1, MPI_UINT64_T, how, MPI_COMM_WORLD, &request);
    ranks_await(&request);
    return answer;
}

uint64_t ranks_largest(uint64_t value) {
    return ranks_reduce(value, MPI_MAX);
}

uint64_t ranks_sum(uint64_t value) {
    return ranks_reduce(value, MPI_SUM);
}

/* --------------------------------------------------- rank 0 ------------------------------------------------ */

/* A block is a few megabytes; size fits an int. */
bool ranks_receive(int from, void *block, size_t size) {
    MPI_Status status;
    long pause = 0;
    for (long waited = 0; !ranks_arrived(from, TAG_BLOCK, &status); waited += pause) {
        if (waited > TENTH_OF_A_SECOND) return false;
        wait_a_moment(&pause);
    }
    MPI_Recv(block, (int)size, MPI_BYTE, from, TAG_BLOCK, MPI_COMM_WORLD, &status);
    return true;
}

bool ranks_trouble(char text[RANKS_TEXT]) {
    MPI_Status status;
    if (count == 1 || !ranks_arrived(MPI_ANY_SOURCE, TAG_TROUBLE, &status)) return false;
    memset(text, 0, RANKS_TEXT);
    MPI_Recv(text, RANKS_TEXT - 1, MPI_BYTE, status.MPI_SOURCE, TAG_TROUBLE, MPI_COMM_WORLD, &status);
    return true;
}

/* Receives and drops what the other ranks sent before they were dismissed. */
void ranks_dismiss(void *scratch, size_t size) {
    char text[RANKS_TEXT];
    MPI_Status status;
    long pause = 0;
    for (int rank = 1; rank < count; rank++) MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_DISMISS, MPI_COMM_WORLD);
    for (int left = count - 1; left > 0;) {
        for (int rank = 1; rank < count; rank++)
            if (ranks_arrived(rank, TAG_BLOCK, &status))
                MPI_Recv(scratch, (int)size, MPI_BYTE, rank, TAG_BLOCK, MPI_COMM_WORLD, &status);
        while (ranks_trouble(text)) continue;
        if (ranks_arrived(MPI_ANY_SOURCE, TAG_FAREWELL, &status)) {
            MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, TAG_FAREWELL, MPI_COMM_WORLD, &status);
            left--;
        } else
            wait_a_moment(&pause);
    }
}

/* ------------------------------------------------- the others ---------------------------------------------- */

/* Returns when the message has been received, so that nothing is on its way when a rank sends its farewell. */
static void ranks_send_bytes(const void *data, size_t size, int tag) {
    MPI_Request request;
    MPI_Issend(data, (int)size, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &request);
    ranks_await(&request);
}

void ranks_send(const void *block, size_t size) {
    ranks_send_bytes(block, size, TAG_BLOCK);
}

void ranks_complain(const char *text) {
    ranks_send_bytes(text, strnlen(text, RANKS_TEXT - 1), TAG_TROUBLE);
}

void ranks_rest(void) {
    long pause = LAST_PAUSE;
    wait_a_moment(&pause);
}

bool ranks_dismissed(void) {
    MPI_Status status;
    if (!ranks_arrived(0, TAG_DISMISS, &status)) return false;
    MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_DISMISS, MPI_COMM_WORLD, &status);
    ranks_send_bytes(NULL, 0, TAG_FAREWELL);
    return true;
}
