/* SPDX-License-Identifier: MIT */
/*
 * Threads of a GPU that play runs side by side (abreast/device/library.c). The 32 threads of a warp are fast as long as
 * they do the same. Threads that have taken different branches do not always meet again by themselves, and each way is
 * then walked on its own, round after round. So they wait for one another at a few places that every round passes.
 */
#ifndef POSSE_BASE_LOCKSTEP_H
#define POSSE_BASE_LOCKSTEP_H

/* Waits for the other threads of the warp that have not ended. Elsewhere there is nobody to wait for. */
static inline void lockstep(void) {
#if defined(__NVPTX__)
    __nvvm_bar_warp_sync(0xffffffff);
#endif
}

#endif
