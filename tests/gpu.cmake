# Tests of the CUDA executor. The programs are those of the other tests. On the emulated GPU of tests/ptx_emulator the
# environment makes them load the emulator's libcudart.so in place of NVIDIA's, which needs -DGSIM_CUDA_RUNTIME=shared.
set(GSIM_GPU_TESTS emulated CACHE STRING "where the tests gpu.* run: emulated, or device, a GPU of this machine")
set_property(CACHE GSIM_GPU_TESTS PROPERTY STRINGS emulated device)
if(NOT GSIM_GPU_TESTS MATCHES "^(emulated|device)$")
  message(FATAL_ERROR "GSIM_GPU_TESTS is \"${GSIM_GPU_TESTS}\"; it must be emulated or device")
endif()
if(NOT GSIM_HAS_CUDA OR GSIM_SANITIZE)
  return()
endif()
if(GSIM_GPU_TESTS STREQUAL device)
  set(gpu_environment GSIM_TEST_DEVICE=cuda)
  set(gpu_label gpu)
elseif(NOT GSIM_CUDA_RUNTIME STREQUAL shared OR NOT TARGET ptxemu_cudart)
  return()
else()
  set(gpu_environment LD_LIBRARY_PATH=$<TARGET_FILE_DIR:ptxemu_cudart> GSIM_TEST_DEVICE=cuda)
  set(gpu_label emulated_gpu)
endif()

# gsim_add_gpu_test(NAME COMMAND … [TIMEOUT seconds] [PROCESSORS n]): adds the test gpu.NAME.
function(gsim_add_gpu_test name)
  cmake_parse_arguments(arg "" "TIMEOUT;PROCESSORS" "COMMAND;ENVIRONMENT" ${ARGN})
  foreach(default TIMEOUT:300 PROCESSORS:1)
    string(REPLACE : ";" default ${default})
    list(GET default 0 key)
    if(NOT arg_${key})
      list(GET default 1 arg_${key})
    endif()
  endforeach()
  add_test(NAME gpu.${name} COMMAND ${arg_COMMAND})
  set_tests_properties(gpu.${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} PROCESSORS ${arg_PROCESSORS} LABELS ${gpu_label}
    ENVIRONMENT "${gpu_environment};${arg_ENVIRONMENT}")
endfunction()

# Unit tests that compare the GPU with the CPU when a GPU is found, or run on it where GSIM_TEST_DEVICE=cuda
# (support/test_executor.hpp).
foreach(layer exec random comm domain)
  gsim_add_gpu_test(unit.${layer} COMMAND test_${layer})
endforeach()
gsim_add_gpu_test(unit.math COMMAND test_math "--test-case=strict functions: results have*")  # the others have no kernels
gsim_add_gpu_test(unit.engine COMMAND test_engine --test-case=*field*,particle*)
# Of each physics, tests that take seconds.
gsim_add_gpu_test(unit.md COMMAND test_md "--test-case=full list: excluded*,full list: the capacity*,full list: consecutive*,\
full list: lists are stale*,full list: the same bits*,full list eam: error*,full list eam: an overlap*,pair forces:*,step batches*,\
Lennard-Jones: overlap*,Lennard-Jones: lists*,integration:*,bonded: forces are*,bonded: exclusions follow*,\
bonded: an interaction*,id rows:*,ewald: an excluded*,groups: frozen*")
# Sobol points and resumed runs are those of gpu.bits.sobol_basket and gpu.fault.resume_across_devices.pricing.
gsim_add_gpu_test(unit.pricing COMMAND test_pricing "--test-case=the loop for one asset*,results have the same bits for slices*,\
spread options use*,Black-Scholes: European*,same bits at every*,fused: portfolios*" TIMEOUT 600)
set_tests_properties(gpu.unit.pricing PROPERTIES COST 100)
gsim_add_gpu_test(unit.transport COMMAND test_transport "--test-case=point detectors: the unc*,generations: k of*,\
particle file: particles have*,particle file: delta*,transport module tallies: all estimators*,transport module tallies: delta*,\
transport module tallies: threads that share*")
gsim_add_gpu_test(unit.fission_bank COMMAND test_transport "--test-case=fission bank*")
gsim_add_gpu_test(plugin.heat COMMAND test_heat "--test-case-exclude=heat: the error against*,heat: VTKHDF*")
gsim_add_gpu_test(plugin.lbm COMMAND test_lbm "--test-case-exclude=lbm: Poiseuille*,lbm: Taylor-Green*")

# Runs of the program: the digests are those of a CPU.
set(digest ${CMAKE_CURRENT_SOURCE_DIR}/cli/bits/digest_on_gpu $<TARGET_FILE:gsim_cli> ${MPIEXEC_EXECUTABLE})
set(configs ${PROJECT_SOURCE_DIR}/validation/digests)
# Settings after the ranks shorten a run.
foreach(run early_exercise:1,2:pricing.exercise.paths=4096:stop.samples=4096 european_and_asian:1,2 european_and_asian_float:1,2
    heston_bates_correlated:1,2:stop.samples=4096 pathwise_and_bumped_greeks:2 exercise_of_paths:2
    scripted_payoffs:2 sobol_basket:2:pricing.replicates=4:stop.samples=16384 two_factor_rates:2 value_at_risk:2 exposures:2
    exposures_of_two_factor_rates:2:exposure.times=[0.5])
  string(REPLACE ":" ";" run ${run})
  list(POP_FRONT run name ranks)
  gsim_add_gpu_test(bits.${name} COMMAND ${digest} ${configs}/${name}.toml ${ranks} ${run} PROCESSORS 2)
endforeach()
foreach(name liquid polymer)
  gsim_add_gpu_test(bits.${name} COMMAND ${digest} ${configs}/md/${name}.toml 1,4 md.steps=40 PROCESSORS 2)
endforeach()
gsim_add_gpu_test(bits.metal COMMAND ${digest} ${configs}/md/metal.toml 1,4 md.steps=25 thermo.every=10 "start.cells=[6, 6, 6]"
  eam.cutoff=4.95 PROCESSORS 2)
# With a skin this thin lists become stale in a single step, after forces have been launched with them.
gsim_add_gpu_test(bits.liquid_thin_skin COMMAND ${digest} ${configs}/md/liquid.toml 1,2 md.steps=20 md.skin=0.02 thermo.every=1 PROCESSORS 2)
# Many steps between control points, so that steps are launched in batches.
gsim_add_gpu_test(bits.metal_batches COMMAND ${digest} ${configs}/md/metal.toml 1 md.steps=40 thermo.every=40 "start.cells=[6, 6, 6]"
  eam.cutoff=4.95 ENVIRONMENT GSIM_MAX_SLICE=1000)
foreach(name lattice lattice_delta)
  gsim_add_gpu_test(bits.${name} COMMAND ${digest} ${configs}/transport/${name}.toml 1,2 transport.batches=7
    transport.particles=300 PROCESSORS 2)
endforeach()
# Fission banks that are longer than the first lists, domains.
gsim_add_gpu_test(bits.lattice_domains COMMAND ${digest} ${configs}/transport/lattice.toml 1,2 transport.batches=3
  transport.inactive=1 transport.particles=300 transport.first_k=0.1 transport.domain="decomposed" PROCESSORS 2)
foreach(name pulsed_shield detected_duct windowed_duct)
  gsim_add_gpu_test(bits.${name} COMMAND ${digest} ${configs}/transport/${name}.toml 1,2 transport.batches=2
    transport.particles=200 PROCESSORS 2)
endforeach()

# Ranks that are processes, messages about devices, and runs that change between CPU and GPU.
foreach(ranks 1 2 4)
  gsim_add_gpu_test(mpi.${ranks} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS}
    $<TARGET_FILE:test_mpi> ${MPIEXEC_POSTFLAGS} PROCESSORS 2)
endforeach()
find_package(Python3 COMPONENTS Interpreter REQUIRED)
# A GPU prices all samples before a first checkpoint, so that the run cannot be killed after it.
set(resumed_physics md transport)
if(GSIM_GPU_TESTS STREQUAL emulated)
  list(APPEND resumed_physics pricing)
endif()
foreach(physics ${resumed_physics})
  gsim_add_gpu_test(fault.resume_across_devices.${physics} PROCESSORS 2 COMMAND ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_SOURCE_DIR}/fault/resume_across_devices.py $<TARGET_FILE:gsim_cli> ${MPIEXEC_EXECUTABLE} ${GSIM_GPU_TESTS} ${physics})
endforeach()

# Published values that need few samples.
gsim_add_gpu_test(validate_md COMMAND gsim_cli validate md --device cuda --only nist_lj --only madelung --only gradients_pair
  --only gradients_metal --only copper_lattice)
gsim_add_gpu_test(validate_pricing COMMAND gsim_cli validate pricing --device cuda --only digital --only exchange --only forward_start)
gsim_add_gpu_test(validate_transport COMMAND gsim_cli validate transport --device cuda --only absorber_layers)

# The rest needs the emulated GPU.
if(GSIM_GPU_TESTS STREQUAL device)
  return()
endif()

gsim_add_gpu_test(cli.devices COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/devices.py
  $<TARGET_FILE:gsim_cli> ${MPIEXEC_EXECUTABLE})

# Runs under the emulator's checks for races, uninitialised memory and leaks, which end a program that has any with another code.
foreach(run european_and_asian:stop.samples=2048 md/liquid:md.steps=3 md/polymer:md.steps=3
    transport/lattice:transport.particles=100:transport.batches=3:transport.inactive=1
    transport/pulsed_shield:transport.particles=60:transport.batches=2)
  string(REPLACE ":" ";--set;" run ${run})
  list(POP_FRONT run name)
  string(REPLACE / _ test ${name})
  gsim_add_gpu_test(checks.${test} COMMAND gsim_cli run ${configs}/${name}.toml --device cuda --set output.file=\"gpu_checks_${test}.h5\" ${run}
    ENVIRONMENT PTXEMU_INITCHECK=1 PTXEMU_RACECHECK=1 PTXEMU_LEAKCHECK=1 PTXEMU_EXITCODE=9)
endforeach()

gsim_add_gpu_test(cli.step_batches COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/step_batches.py
  $<TARGET_FILE:gsim_cli>)
gsim_add_gpu_test(cli.device_memory COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/device_memory.py
  $<TARGET_FILE:gsim_cli>)
gsim_add_gpu_test(cli.exercise_launches COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/exercise_launches.py
  $<TARGET_FILE:gsim_cli>)
gsim_add_gpu_test(cli.local_memory COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/local_memory.py
  $<TARGET_FILE:gsim_cli> ${PROJECT_SOURCE_DIR}/configs/transport/c5g7_2d.toml)
set_tests_properties(gpu.unit.transport gpu.cli.step_batches PROPERTIES COST 40)
set_tests_properties(gpu.cli.exercise_launches PROPERTIES COST 25)

# The model of H100 and H200 against published measurements.
if(TARGET ptxemu_program_published AND Python3_FOUND)
  gsim_add_gpu_test(model.published COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/validation/performance/gpu_model.py
    ${CMAKE_CURRENT_BINARY_DIR}/ptx_emulator/programs/published $<TARGET_FILE_DIR:ptxemu_cudart>)
  # The script runs a command itself.
  gsim_add_gpu_test(model.command COMMAND ${PROJECT_SOURCE_DIR}/scripts/gpu_model --emulator $<TARGET_FILE_DIR:ptxemu_cudart> --scale 8
    -- ${CMAKE_CURRENT_BINARY_DIR}/ptx_emulator/programs/published triad 20000 128 0 2)
  set_tests_properties(gpu.model.command PROPERTIES ENVIRONMENT "" PASS_REGULAR_EXPRESSION "H200 SXM, modelled, problem scaled by 8.*triad")
  # Three launches of a graph, 2.5 µs each.
  gsim_add_gpu_test(model.graphs COMMAND ${PROJECT_SOURCE_DIR}/scripts/gpu_model --emulator $<TARGET_FILE_DIR:ptxemu_cudart>
    --machine h200 -- ${CMAKE_CURRENT_BINARY_DIR}/ptx_emulator/programs/counts)
  set_tests_properties(gpu.model.graphs PROPERTIES ENVIRONMENT "" PASS_REGULAR_EXPRESSION " 0\\.0075 +[0-9.]+% +graphs")
endif()

# Several ranks on one and on two devices, and the paths of their messages.
set(ranks_on_devices ${CMAKE_CURRENT_SOURCE_DIR}/cli/devices/ranks_on_devices $<TARGET_FILE:gsim_cli> ${MPIEXEC_EXECUTABLE}
  ${configs}/md/liquid.toml)
foreach(case ipc_one_device ipc_two_devices staged gpu_aware_on broken_device broken_properties all_broken out_of_memory
    kernel_failure no_kernel_image mig)
  gsim_add_gpu_test(ranks.${case} COMMAND ${ranks_on_devices} ${case} PROCESSORS 2 TIMEOUT 120)
endforeach()
