/* SPDX-License-Identifier: MIT */
/*
 * The kernels in whose threads the library plays. They are linked with the library, which LLVM has compiled for a GPU,
 * to an image (cmake/cuda.cmake), which cuda.cu loads.
 */
#include <alloca.h>

#define LANES 1
#include "abreast/device/library.h"

#include "abreast/device/assignment.h"

#define WARP 32
#define ALIGNED ((uintptr_t)16)

extern "C" __global__ void open_library(const __grid_constant__ device_plan p,
                                        const __grid_constant__ device_competitor c, void *memory, library_form *out) {
    library_open(&p, &c, memory, out);
}

/*
 * Each thread plays a run, and then the next one that is left. Warps are complete: a thread without a run plays the
 * last one, too. The states of a thread are on its stack if they fit: what is at one place on the stacks of a warp is
 * side by side in memory, so that the warp reads it at once.
 */
extern "C" __global__ void __launch_bounds__(GUESTS, GUESTS_AT_ONCE / GUESTS)
    play_by_library(const __grid_constant__ device_plan p, const __grid_constant__ device_competitor c,
                    const __grid_constant__ assignment a, const __grid_constant__ library_form form,
                    const __grid_constant__ library_room room, device_failure *failure) {
    const uint32_t thread = blockIdx.x * GUESTS + threadIdx.x;
    char *account = room.places + thread * room.place_size, *states = account + form.account_size;
    if (room.on_stack) states = (char *)(((uintptr_t)alloca(form.state_size + ALIGNED) + ALIGNED - 1) & -ALIGNED);
    for (uint32_t i = thread; i / WARP * WARP < a.curves.runs; i += gridDim.x * GUESTS) {
        const noted_run r = noted(&p, &c, &a, i);
        if (!library_play(&p, &c, &form, states, account, &r, a.halt, failure)) return;
    }
}
