# SPDX-License-Identifier: MIT
# The report, posse_report, and paper_assets, a source file with the paper's experiment files.

# embed(OUT TABLE FILES...) makes a C source OUT with the files in an array TABLE of app/report/data/asset.h.
function(embed out table)
  list(JOIN ARGN "," files)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DTABLE=${table} -DFILES=${files} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM
    COMMENT "Embedding ${table}")
endfunction()

find_path(DYGRAPHS dygraph.min.js PATHS /usr/share/javascript/dygraphs NO_DEFAULT_PATH REQUIRED
          DOC "The folder of dygraph.min.js (Debian: libjs-dygraphs)")

file(GLOB page_files CONFIGURE_DEPENDS app/report/page/*.html app/report/page/*.css app/report/page/*.js
     app/report/page/*.txt app/report/chart/*.json)
set(page_assets ${PROJECT_BINARY_DIR}/page_assets.c)
embed(${page_assets} page_assets ${page_files} ${DYGRAPHS}/dygraph.min.js ${DYGRAPHS}/dygraph.min.css)

# In the order of the front page: the figures of the paper, then the appendix, then files not named here.
file(GLOB other_files CONFIGURE_DEPENDS experiments/paper/*.yaml)
foreach(name ucb linear-thompson thompson-well-well thompson-mis-well thompson-well-mis thompson-mis-mis information-lock
        information-lock-3 fixed-arms)
  list(APPEND paper_files ${PROJECT_SOURCE_DIR}/experiments/paper/${name}.yaml)
endforeach()
list(REMOVE_ITEM other_files ${paper_files})
list(APPEND paper_files ${other_files})
set(paper_assets ${PROJECT_BINARY_DIR}/paper_assets.c)
embed(${paper_assets} paper_assets ${paper_files})

file(GLOB report CONFIGURE_DEPENDS app/report/*.c app/report/*/*.c)
add_library(posse_report OBJECT ${report} ${page_assets})
target_compile_definitions(posse_report PRIVATE _GNU_SOURCE)
target_include_directories(posse_report PUBLIC app lib include)
target_link_libraries(posse_report PUBLIC PkgConfig::formats m PRIVATE posse_warnings_strict)
