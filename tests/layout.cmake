# cmake -D SOURCE_DIR=<root> -D UMBRELLA=<linkwork.hpp> -P layout.cmake
# Checks what a compiler does not see: which folder includes which, what public headers drag into a user's file, and
# that every file is part of the build.
cmake_minimum_required(VERSION 3.25)

set(core_may_include core)
set(bodies_may_include core bodies)
set(joints_may_include core joints)
set(forces_may_include core forces)
set(topology_may_include core topology)
set(solvers_may_include core bodies joints forces topology solvers)

# The folders inside solvers.
set(linear_may_include linear)
set(formulations_may_include linear formulations)
set(dae_may_include linear dae)
set(jacobian_may_include linear dae jacobian)
set(newton_may_include linear dae jacobian newton)
set(manifold_may_include linear dae manifold)
set(integrators_may_include linear dae jacobian newton manifold integrators)
set(reductions_may_include linear dae manifold integrators reductions)
set(analyses_may_include linear formulations dae manifold analyses)
set(initial_values_may_include linear formulations dae manifold analyses initial_values)
set(simulation_may_include linear formulations dae jacobian newton manifold integrators reductions analyses initial_values
    simulation)
# What is written of a run for programs.
set(files_may_include formulations newton simulation files)
# What a run looks like, of which no run knows: the graph's elements, and what is read of a trajectory.
set(pictures_may_include formulations analyses simulation pictures)

# Seconds of compile time, macros, or a package that users of the library would need.
set(not_in_public_headers "Eigen/(Dense|Eigen|LU|QR|SVD|Cholesky|Eigenvalues|Sparse)|boost/graph|klu|amd\\.h|cholmod|umfpack|ColPack|gtest|CLI/|nlohmann")

set(mistakes "")
function(mistake)
  string(CONCAT text ${ARGN})
  set(mistakes "${mistakes}  ${text}\n" PARENT_SCOPE)
endfunction()

file(READ ${UMBRELLA} umbrella)
string(REGEX MATCHALL "linkwork/[^>]+" public_headers "${umbrella}")

foreach(folder core bodies joints forces topology solvers)
  file(READ ${SOURCE_DIR}/${folder}/CMakeLists.txt listed)
  string(REGEX MATCHALL "[a-z0-9_/]+\\.[hc]pp" listed "${listed}")
  file(GLOB_RECURSE files RELATIVE ${SOURCE_DIR}/${folder} ${SOURCE_DIR}/${folder}/*.hpp ${SOURCE_DIR}/${folder}/*.cpp)
  foreach(file ${files})
    set(name ${folder}/${file})
    if(NOT file IN_LIST listed)
      mistake("${name} is not listed in ${folder}/CMakeLists.txt")
    endif()
    file(STRINGS ${SOURCE_DIR}/${name} lines REGEX "^ *#include")
    foreach(line ${lines})
      if(line MATCHES "#include \"")
        mistake("${name}: '${line}' is written <linkwork/...>")
      elseif(line MATCHES "<linkwork/([a-z]+)" AND NOT CMAKE_MATCH_1 IN_LIST ${folder}_may_include)
        mistake("${name}: ${folder} may not include '${line}'")
      elseif(name MATCHES "^solvers/([a-z_]+)/")
        set(part ${CMAKE_MATCH_1})
        if(line MATCHES "<linkwork/solvers/([a-z_]+)/" AND NOT CMAKE_MATCH_1 IN_LIST ${part}_may_include)
          mistake("${name}: solvers/${part} may not include '${line}'")
        endif()
      endif()
      if(linkwork/${name} IN_LIST public_headers)
        if(line MATCHES "${not_in_public_headers}")
          mistake("${name}: a public header may not have '${line}'")
        elseif(line MATCHES "<(linkwork/[^>]+)>" AND NOT CMAKE_MATCH_1 IN_LIST public_headers)
          mistake("${name}: '${line}' is not installed; list it under HEADERS")
        endif()
      endif()
    endforeach()
  endforeach()
endforeach()

if(mistakes)
  message(FATAL_ERROR "Layout (core <- bodies, joints, forces, topology <- solvers <- apps):\n${mistakes}")
endif()
