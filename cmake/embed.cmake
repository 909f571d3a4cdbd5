# SPDX-License-Identifier: MIT
# Writes a C file that contains other files: cmake -DOUT=x.c -DTABLE=name -DFILES=a,b -P embed.cmake
string(REPLACE "," ";" FILES "${FILES}")
set(arrays "")
set(rows "")
foreach(file IN LISTS FILES)
  cmake_path(GET file FILENAME name)
  file(READ ${file} bytes HEX)
  # Removes "//# sourceMappingURL=..." at the end, which names a file that is not embedded.
  string(REGEX REPLACE "2f(2f|2a)2320736f757263654d617070696e6755524c3d.*$" "0a" bytes "${bytes}")
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(MAKE_C_IDENTIFIER "file_${name}" array)
  string(APPEND arrays "static const unsigned char ${array}[] = {\n${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", (const char *)${array}, sizeof ${array} - 1},\n")
endforeach()
file(WRITE ${OUT} "#include \"report/data/asset.h\"\n\n${arrays}\nconst asset ${TABLE}[] = {\n${rows}    {0},\n};\n")
