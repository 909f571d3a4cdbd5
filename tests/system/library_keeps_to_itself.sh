#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The library never prints, aborts, exits or reads a clock, and takes no function from libm whose bits differ between
# systems (docs/numeric-rule.md): it does not even refer to one. Of the environment it reads POSSE_ISA alone, which
# changes no bit of a result. Of the system's random numbers (getentropy) it takes the epochs of posses that are loaded, which
# are in ids alone.
. "$(dirname "$0")/scripting.sh"

nm --dynamic --undefined-only "$build_dir/libposse.so" | awk '$1 == "U" {sub(/@.*/, "", $2); print $2}' >"$scratch/used"
[ -s "$scratch/used" ] || die "nm shows nothing that libposse.so refers to: is this test still looking?"

world='_*v?f?printf(_chk)?|f?puts|f?putc|putchar|fwrite|write|perror|std(out|err)|abort|_*assert_fail|_?exit|quick_exit'
clock='s?rand|random|time|clock|clock_gettime|gettimeofday'
libm='(exp|exp2|expm1|log|log2|log10|log1p|pow|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|cbrt|hypot|erfc?|[lt]gamma|fma)[fl]?'
! grep -Ex "$world|$clock|$libm" "$scratch/used" || die "libposse.so refers to these"

random=$(cd "$source_dir/src" && grep -rl --include="*.[ch]" "getentropy(" .)
[ "$random" = ./posse/save.c ] || die "the library asks for random numbers: $random"

asked=$(cd "$source_dir/src" && grep -rho --include='*.[ch]' --exclude-dir=experiment 'getenv([^)]*)' .)
[ "$asked" = 'getenv("POSSE_ISA")' ] || die "the library asks the environment: $asked"
