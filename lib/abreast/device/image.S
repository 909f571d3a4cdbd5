# SPDX-License-Identifier: MIT
# The image of the library for a GPU, as bytes of posse_cuda.so.
    .section .rodata
    .global library_image
    .hidden library_image
    .balign 64
library_image:
    .incbin IMAGE
    .byte 0
    .section .note.GNU-stack,"",@progbits
