# SPDX-License-Identifier: Apache-2.0
# The three kinds of targets: library, tool, test. Sources are listed by name.
include(GNUInstallDirs)

# vta_library(NAME [NATIVE] SOURCES file... [DEPS target...])
#   NATIVE  compiled for this machine's instruction set: simulators and integer loops, with exact results.
function(vta_library name)
  cmake_parse_arguments(arg "NATIVE" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${arg_DEPS})
  if(arg_NATIVE AND VTA_NATIVE)
    target_compile_options(${name} PRIVATE ${vta_native_options})
    vta_use_precompiled(${name} vta_precompiled_native)
  else()
    vta_use_precompiled(${name} vta_precompiled)
  endif()
endfunction()

# vta_tool(NAME SOURCES file... [DEPS target...])    an installed command-line tool
function(vta_tool name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_DEPS})
  vta_use_precompiled(${name} vta_precompiled)
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# The target of the preset asan: the tests labelled `asan` and the tools that they run. Other tests, with their Verilated
# kernels, are not compiled a second time.
add_custom_target(sanitized_tests)

set(vta_test_options -O0)

# vta_test(NAME SOURCES file... [DEPS target...] [LABELS label...] [TIMEOUT seconds] [WHOLE] [OPTIMIZED])
#   One GoogleTest binary; every case is a separate CTest test. The label `asan` puts it into the sanitizer run.
#   TIMEOUT: default 300. Tests with a longer one start first (COST), so that none of them is left alone at the end.
#   WHOLE: one CTest test for the binary, whose cases share what the first of them computes.
#   OPTIMIZED: compiled as a library is, for a test that has loops of its own over much data.
function(vta_test name)
  cmake_parse_arguments(arg "WHOLE;OPTIMIZED" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(NOT arg_LABELS)
    message(FATAL_ERROR "vta_test(${name}): say its LABELS; an empty list would swallow the next property")
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_DEPS} GTest::gtest_main)
  if(arg_OPTIMIZED)
    vta_use_precompiled(${name} vta_precompiled)
  else()
    # The code under test is in libraries; the test's own code takes longer to compile than to run, and half of that is
    # optimization.
    target_compile_options(${name} PRIVATE ${vta_test_options})
    vta_use_precompiled(${name} vta_precompiled_tests)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(asan IN_LIST arg_LABELS)
    add_dependencies(sanitized_tests ${name})
  endif()
  if(arg_WHOLE)
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT})
    return()
  endif()
  # The list is expanded three times before it reaches set_tests_properties().
  string(REPEAT "\\" 7 slashes)
  string(REPLACE ";" "${slashes};" labels "${arg_LABELS}")
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    PROPERTIES LABELS "${labels}" TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT} SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
endfunction()
include(GoogleTest)
