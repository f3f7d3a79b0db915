# ColPack, as the imported target ColPack::ColPack. Debian's package brings no CMake package. Its library runs on
# OpenMP's threads, which the colouring restricts to one, so that target brings the run-time library of OpenMP.
find_path(ColPack_INCLUDE_DIR ColPack/ColPackHeaders.h)
find_library(ColPack_LIBRARY ColPack)
find_library(ColPack_OpenMP_LIBRARY gomp HINTS ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ColPack REQUIRED_VARS ColPack_INCLUDE_DIR ColPack_LIBRARY ColPack_OpenMP_LIBRARY
                                  REASON_FAILURE_MESSAGE "install libcolpack-dev")
if(ColPack_FOUND AND NOT TARGET ColPack::ColPack)
  add_library(ColPack::ColPack UNKNOWN IMPORTED)
  set_target_properties(ColPack::ColPack PROPERTIES
    IMPORTED_LOCATION ${ColPack_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${ColPack_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES ${ColPack_OpenMP_LIBRARY})
endif()
mark_as_advanced(ColPack_INCLUDE_DIR ColPack_LIBRARY ColPack_OpenMP_LIBRARY)
