# SPDX-License-Identifier: MIT
# The programs of `make bench`. They are built on demand, by the target `bench`.

add_library(bench_common OBJECT EXCLUDE_FROM_ALL bench/workload.c bench/simulation.c)
target_include_directories(bench_common PUBLIC include)
target_link_libraries(bench_common PRIVATE posse_warnings)

# bench_posse measures the library by itself; bench_contender measures it as one of several rivals.
add_executable(bench_posse EXCLUDE_FROM_ALL bench/bench.c bench/pieces.c)
add_executable(bench_contender EXCLUDE_FROM_ALL bench/contender.c)
target_link_libraries(bench_posse PRIVATE bench_common posse_internal posse_warnings)
target_link_libraries(bench_contender PRIVATE bench_common posse_internal posse_warnings)

# bench_object measures what a posse that an application holds costs.
add_executable(bench_object EXCLUDE_FROM_ALL bench/object.c tests/support/purse.c)
target_include_directories(bench_object PRIVATE tests/support)
target_link_libraries(bench_object PRIVATE posse_internal posse_warnings)

# bench_contexts measures what B-MS+ costs in rounds with features.
add_executable(bench_contexts EXCLUDE_FROM_ALL bench/contexts.c)
target_link_libraries(bench_contexts PRIVATE posse_internal posse_warnings)

# bench_text measures learners that take a step per feature, on sparse rows.
add_executable(bench_text EXCLUDE_FROM_ALL bench/text.c)
target_link_libraries(bench_text PRIVATE posse_internal posse_warnings)

# bench_team measures a decision of a team with many features.
add_executable(bench_team EXCLUDE_FROM_ALL bench/team.c)
target_link_libraries(bench_team PRIVATE posse_internal posse_warnings)

# bench_beliefs measures the time of a draw and of a reward, for every kind of belief.
add_executable(bench_beliefs EXCLUDE_FROM_ALL bench/beliefs.c)
target_link_libraries(bench_beliefs PRIVATE posse_internal posse_warnings)

# bench_coverage measures calibration: how often the truth is in the intervals of the logistic belief.
add_executable(bench_coverage EXCLUDE_FROM_ALL bench/coverage.c)
target_link_libraries(bench_coverage PRIVATE posse_internal posse_warnings)

# bench_newcomers measures regret, not time: the cost and gain of a learner that joins late.
add_executable(bench_newcomers EXCLUDE_FROM_ALL bench/newcomers.c)
target_link_libraries(bench_newcomers PRIVATE posse_internal posse_warnings)

# bench_serve_redis puts a Redis under load.
add_executable(bench_serve_redis EXCLUDE_FROM_ALL bench/serve_redis.c)
target_link_libraries(bench_serve_redis PRIVATE posse_warnings)

# Textbook programs are compiled with the usual flags, without those of the numeric rule.
foreach(program textbook linucb)
  add_executable(bench_${program} EXCLUDE_FROM_ALL bench/${program}.c)
  target_compile_options(bench_${program} PRIVATE -O3 -march=native -ffp-contract=fast -fmath-errno)
  target_link_libraries(bench_${program} PRIVATE m posse_warnings)
endforeach()

# The client of `make bench-serve`.
add_executable(bench_serve_http EXCLUDE_FROM_ALL bench/serve_http.c)
target_compile_definitions(bench_serve_http PRIVATE _GNU_SOURCE)
target_link_libraries(bench_serve_http PRIVATE posse_warnings)

# bench_gpu measures rounds on a GPU, and needs posse_cuda.so.
add_executable(bench_gpu EXCLUDE_FROM_ALL bench/gpu.c)
target_include_directories(bench_gpu PRIVATE app)
target_link_libraries(bench_gpu PRIVATE posse_static ${CMAKE_DL_LIBS} posse_warnings)

add_custom_target(bench DEPENDS bench_posse bench_contender bench_contexts bench_beliefs bench_coverage bench_linucb bench_newcomers bench_object bench_serve_http bench_serve_redis bench_team bench_text bench_textbook)
