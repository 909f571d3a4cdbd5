#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The library refers to no function that prints, aborts, exits or reads a clock, and to no function of libm whose bits
# differ between systems (docs/numeric-rule.md). The only variable that it reads is POSSE_ISA, which changes no bit of a
# result. It uses the system's random numbers (getentropy) only for the epochs of loaded posses, which are part of ids.
. "$(dirname "$0")/scripting.sh"

nm --dynamic --undefined-only "$build_dir/libposse.so" | awk '$1 == "U" {sub(/@.*/, "", $2); print $2}' >"$scratch/used"
[ -s "$scratch/used" ] || die "nm lists no symbol that libposse.so refers to: does this test still work?"

world='_*v?f?printf(_chk)?|f?puts|f?putc|putchar|fwrite|write|perror|std(out|err)|abort|_*assert_fail|_?exit|quick_exit'
clock='s?rand|random|time|clock|clock_gettime|gettimeofday'
libm='(exp|exp2|expm1|log|log2|log10|log1p|pow|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|cbrt|hypot|erfc?|[lt]gamma|fma)[fl]?'
! grep -Ex "$world|$clock|$libm" "$scratch/used" || die "libposse.so refers to these"

random=$(cd "$source_dir/lib" && grep -rl --include="*.[ch]" "getentropy(" .)
[ "$random" = ./object/save.c ] || die "the library takes random numbers of the system in: $random"

asked=$(cd "$source_dir/lib" && grep -rho --include='*.[ch]' 'getenv([^)]*)' .)
[ "$asked" = 'getenv("POSSE_ISA")' ] || die "the library reads variables of the environment: $asked"
