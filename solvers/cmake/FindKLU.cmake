# KLU with AMD, COLAMD and BTF, as the imported target SuiteSparse::klu. Debian's SuiteSparse brings no CMake package.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(_klu_libraries "")
foreach(_name klu amd colamd btf suitesparseconfig)
  find_library(KLU_${_name}_LIBRARY ${_name})
  list(APPEND _klu_libraries KLU_${_name}_LIBRARY)
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU REQUIRED_VARS KLU_INCLUDE_DIR ${_klu_libraries}
                                  REASON_FAILURE_MESSAGE "install libsuitesparse-dev")
if(KLU_FOUND AND NOT TARGET SuiteSparse::klu)
  add_library(SuiteSparse::klu UNKNOWN IMPORTED)
  set_target_properties(SuiteSparse::klu PROPERTIES
    IMPORTED_LOCATION ${KLU_klu_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${KLU_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES
      "${KLU_amd_LIBRARY};${KLU_colamd_LIBRARY};${KLU_btf_LIBRARY};${KLU_suitesparseconfig_LIBRARY}")
endif()
mark_as_advanced(KLU_INCLUDE_DIR ${_klu_libraries})
