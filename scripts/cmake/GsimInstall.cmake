# `cmake --install` gives a prefix with the program, libgsim, the public headers and a CMake package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gsim)

set_target_properties(gsim PROPERTIES VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(gsim PUBLIC cxx_std_20)
install(TARGETS gsim EXPORT gsim-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT gsim-targets NAMESPACE gsim:: DESTINATION ${package_dir})
if(TARGET gsim_cli)
  set_target_properties(gsim_cli PROPERTIES
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS gsim_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/gsim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs DESTINATION ${CMAKE_INSTALL_DATADIR}/gsim)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/validation/pricing ${PROJECT_SOURCE_DIR}/validation/md
                  ${PROJECT_SOURCE_DIR}/validation/transport
        DESTINATION ${CMAKE_INSTALL_DATADIR}/gsim/validation OPTIONAL)

configure_package_config_file(${PROJECT_SOURCE_DIR}/scripts/cmake/gsimConfig.cmake.in
  ${PROJECT_BINARY_DIR}/gsimConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gsimConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gsimConfig.cmake ${PROJECT_BINARY_DIR}/gsimConfigVersion.cmake
        DESTINATION ${package_dir})
