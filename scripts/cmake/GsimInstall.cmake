# `cmake --install` creates a prefix with the program, libgsim, the public headers and a CMake package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gsim)

set_target_properties(gsim PROPERTIES VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(gsim PUBLIC cxx_std_20)
if(GSIM_CUDA_RUNTIME STREQUAL shared)
  set_target_properties(gsim PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)  # the folder of libcudart.so
endif()
install(TARGETS gsim EXPORT gsim-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(side_library gsim_dates gsim_xml)  # libgsim loads them from its own folder
  if(TARGET ${side_library})
    set_target_properties(${side_library} PROPERTIES INSTALL_RPATH "$ORIGIN")
    install(TARGETS ${side_library} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endforeach()
if(TARGET gsim_cli)
  set_target_properties(gsim_cli PROPERTIES
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  set_target_properties(gsim_cli PROPERTIES EXPORT_NAME cli)
  install(TARGETS gsim_cli EXPORT gsim-targets RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(EXPORT gsim-targets NAMESPACE gsim:: DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/gsim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs DESTINATION ${CMAKE_INSTALL_DATADIR}/gsim)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/validation/pricing ${PROJECT_SOURCE_DIR}/validation/md
                  ${PROJECT_SOURCE_DIR}/validation/transport
        DESTINATION ${CMAKE_INSTALL_DATADIR}/gsim/validation OPTIONAL)
install(FILES ${PROJECT_SOURCE_DIR}/validation/README.md  # the format of validation files
        DESTINATION ${CMAKE_INSTALL_DATADIR}/gsim/validation)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/plugins/skeletons
        DESTINATION ${CMAKE_INSTALL_DATADIR}/gsim)
# Files that gsim_add_plugin() uses.
install(FILES ${PROJECT_SOURCE_DIR}/scripts/cmake/GsimKernels.cmake
              ${PROJECT_SOURCE_DIR}/scripts/cmake/GsimNvcc.cmake
              ${PROJECT_SOURCE_DIR}/scripts/cmake/GsimMdParts.cmake
              ${PROJECT_SOURCE_DIR}/scripts/cmake/GsimPlugin.cmake DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/scripts/cmake/gsimConfig.cmake.in
  ${PROJECT_BINARY_DIR}/gsimConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gsimConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gsimConfig.cmake ${PROJECT_BINARY_DIR}/gsimConfigVersion.cmake
        DESTINATION ${package_dir})
