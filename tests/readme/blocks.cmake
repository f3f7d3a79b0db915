# cmake -D SOURCE_DIR=<root> -D READMES=<files below it, with commas between them> -D OUT=<file.cpp> -P blocks.cmake
# Writes one test program of all C++ blocks of the READMEs. The blocks of a README stand behind each other in one
# function, so that each may use what the blocks before it have declared; a block with a main() is a program by itself.
# Messages of the compiler name the line of the README.
cmake_minimum_required(VERSION 3.25)

set(includes "")  # of all blocks; they have to stand outside of functions
set(tests "")

string(REPLACE "," ";" readmes "${READMES}")
foreach(readme IN LISTS readmes)
  file(READ ${SOURCE_DIR}/${readme} text)
  get_filename_component(folder ${readme} DIRECTORY)
  if(folder STREQUAL "")
    set(folder root)
  endif()
  set(blocks "")
  set(line 1)  # at which the text begins
  set(programs 0)
  while(TRUE)
    string(FIND "${text}" "```cpp\n" begin)
    if(begin EQUAL -1)
      break()
    endif()
    math(EXPR begin "${begin} + 7")
    string(SUBSTRING "${text}" 0 ${begin} before)
    string(SUBSTRING "${text}" ${begin} -1 text)
    string(FIND "${text}" "```" end)
    if(end EQUAL -1)
      message(FATAL_ERROR "${readme}: a C++ block has no end.")
    endif()
    string(SUBSTRING "${text}" 0 ${end} block)
    string(SUBSTRING "${text}" ${end} -1 text)
    string(REGEX REPLACE "[^\n]" "" newlines "${before}")
    string(LENGTH "${newlines}" count)
    math(EXPR line "${line} + ${count}")
    set(place "#line ${line} \"${readme}\"\n")
    string(REGEX REPLACE "[^\n]" "" newlines "${block}")
    string(LENGTH "${newlines}" count)
    math(EXPR line "${line} + ${count}")

    string(REGEX MATCHALL "#include <[^>\n]+>" found "${block}")
    list(APPEND includes ${found})
    string(REGEX REPLACE "#include <[^>\n]+>" "" block "${block}")
    if(block MATCHES "int main\\(")
      math(EXPR programs "${programs} + 1")
      set(name ${folder}_program_${programs})
      # Of main() alone the end may be reached without a return.
      string(REPLACE "int main(" "auto run(" block "${block}")
      string(APPEND tests "namespace ${name} {\n${place}${block}}\n"
                          "TEST_F(Readme, ProgramOf_${name}) { expect_success(${name}::run); }\n\n")
    else()
      string(APPEND blocks "${place}${block}")
    endif()
  endwhile()
  if(NOT blocks STREQUAL "")
    string(APPEND tests "TEST_F(Readme, BlocksOf_${folder}) {\n${blocks}}\n\n")
  endif()
endforeach()

list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n" includes)
file(WRITE ${OUT} "#include \"readme.hpp\"\n\n${includes}\n#include <linkwork/linkwork.hpp>\n\n"
                  "using namespace linkwork;\n\n${tests}")
