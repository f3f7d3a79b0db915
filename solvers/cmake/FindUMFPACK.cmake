# UMFPACK, as the imported target SuiteSparse::umfpack. Under the GPL, so it is used where it is found, never required.
find_path(UMFPACK_INCLUDE_DIR umfpack.h PATH_SUFFIXES suitesparse)
find_library(UMFPACK_LIBRARY umfpack)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(UMFPACK REQUIRED_VARS UMFPACK_INCLUDE_DIR UMFPACK_LIBRARY
                                  REASON_FAILURE_MESSAGE "libsuitesparse-dev has it")
if(UMFPACK_FOUND AND NOT TARGET SuiteSparse::umfpack)
  add_library(SuiteSparse::umfpack UNKNOWN IMPORTED)
  set_target_properties(SuiteSparse::umfpack PROPERTIES
    IMPORTED_LOCATION ${UMFPACK_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${UMFPACK_INCLUDE_DIR})
endif()
mark_as_advanced(UMFPACK_INCLUDE_DIR UMFPACK_LIBRARY)
