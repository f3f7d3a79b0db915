# cmake -D README=<README.md> -D EXAMPLE=<slider_crank.cpp> -P example.cmake
# The mechanism that the README shows is the example that is built and run.
file(READ ${README} readme)
file(READ ${EXAMPLE} example)
string(FIND "${readme}" "```cpp\n${example}```" place)
if(place EQUAL -1)
  message(FATAL_ERROR "The mechanism in README.md is not ${EXAMPLE}; copy the file into the README.")
endif()
