# SPDX-License-Identifier: MIT
# The engine, which stores posses in a database, and the server. They need libevent, SQLite and libcrypto. Without these
# libraries the program is still built, and `posse serve` reports which are missing. The Python package is built without
# the server, so that it does not depend on them.
add_library(posse_serve_absent OBJECT app/cli/command_serve_absent.c)
target_link_libraries(posse_serve_absent PRIVATE posse_experiment posse_warnings)
if(POSSE_SERVE)
  pkg_check_modules(serving IMPORTED_TARGET libevent sqlite3>=3.38 libcrypto)
endif()
if(POSSE_SERVE AND serving_FOUND)
  set(POSSE_SERVES ON)
  file(GLOB engine CONFIGURE_DEPENDS app/served/*.c app/engine/*.c)
  add_library(posse_engine OBJECT ${engine})
  target_compile_definitions(posse_engine PRIVATE _GNU_SOURCE)
  target_link_libraries(posse_engine PUBLIC posse_experiment PkgConfig::serving PRIVATE posse_warnings_strict)

  set(serve_assets ${PROJECT_BINARY_DIR}/serve_assets.c)
  file(GLOB board CONFIGURE_DEPENDS app/serve/*.html app/serve/*.css app/serve/*.js)
  embed(${serve_assets} serve_assets ${PROJECT_SOURCE_DIR}/app/serve/openapi.json
        ${PROJECT_SOURCE_DIR}/app/report/chart/palette.json ${PROJECT_SOURCE_DIR}/app/report/page/elements.js
        ${PROJECT_SOURCE_DIR}/app/report/page/plot.js ${board})
  file(GLOB serve CONFIGURE_DEPENDS app/serve/*.c)
  add_library(posse_serve OBJECT ${serve} ${serve_assets})
  target_compile_definitions(posse_serve PRIVATE _GNU_SOURCE)
  target_link_libraries(posse_serve PUBLIC posse_engine PRIVATE posse_warnings_strict)
  file(GLOB exports CONFIGURE_DEPENDS app/cli/export_*.c)
  add_library(posse_serve_command OBJECT app/cli/command_serve.c app/cli/command_export.c app/cli/command_erase.c
                                         ${exports})
  target_link_libraries(posse_serve_command PUBLIC posse_serve PRIVATE posse_warnings_strict)
else()
  set(POSSE_SERVES OFF)
endif()
if(POSSE_SERVE AND NOT POSSE_SERVES)
  message(STATUS "posse serve is left out: it needs libevent, sqlite3 and libcrypto "
                 "(Debian: libevent-dev libsqlite3-dev libssl-dev)")
endif()
