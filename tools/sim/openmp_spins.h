// SPDX-License-Identifier: Apache-2.0
//
// How long threads of OpenMP spin for each other at the end of a parallel loop.
#ifndef VTA_TOOLS_SIM_OPENMP_SPINS_H_
#define VTA_TOOLS_SIM_OPENMP_SPINS_H_

namespace vta::sim {

// Threads of libgomp spin 300,000 times before they sleep: 7 ms and more, longer than a time slice.
// On a busy machine a spinning thread holds the processor for which its partner is queued, and an
// inference waits one time slice per layer. libgomp reads GOMP_SPINCOUNT when it is loaded, before
// main(). Hence this starts the program again, with the same arguments, in the same process, with
// a limit in the environment. Programs that this one starts do not inherit it.
//
// Does nothing if the limit is set already, or GOMP_SPINCOUNT or OMP_WAIT_POLICY by the user, or
// if the program cannot be started again.
void limit_openmp_spins();

// Processors that this process may use, at least 1.
unsigned available_processors();

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_OPENMP_SPINS_H_
