# SPDX-License-Identifier: Apache-2.0
# Writes a source file that defines string views with the contents of text files:
#   cmake -DOUTPUT=FILE -DHEADER=FILE -DNAMES="kFirst kSecond" -DkFirst="FILE FILE..." -DkSecond=FILE -P embed_files.cmake
set(text "// Written by embed_files.cmake.\n#include \"${HEADER}\"\n\nnamespace vta::sim {\n\n")
separate_arguments(NAMES)
foreach(name IN LISTS NAMES)
  string(APPEND text "const std::string_view ${name} =")
  separate_arguments(files UNIX_COMMAND "${${name}}")
  foreach(file IN LISTS files)
    file(READ "${file}" content)
    string(APPEND text "\n    R\"vta_file(${content})vta_file\"")
  endforeach()
  string(APPEND text ";\n\n")
endforeach()
string(APPEND text "}  // namespace vta::sim\n")
file(WRITE "${OUTPUT}" "${text}")
