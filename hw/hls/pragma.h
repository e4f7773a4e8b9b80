// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary of the core's source that is not ordinary C++: one meaning for the native build
// (the functional simulator), one for hlsc (which defines __HLSC__ and turns the source into
// hardware), and pragmas of the same intent for Vitis HLS.
//
// A design is one class template: its members are the RAMs, registers, streams and ports, its
// member functions the processes. Natively they are ordinary members, so that several devices live
// in one program. For hlsc they are inline static members, that is global symbols that others may
// write; they are defined, because clang keeps annotations of definitions alone.
#ifndef VTA_HW_HLS_PRAGMA_H_
#define VTA_HW_HLS_PRAGMA_H_

#ifdef __HLSC__
#define HLS_MEMBER static
#define HLS_STATE static inline
#define HLS_ANNOTATE(text) __attribute__((annotate(text)))
extern "C" void __hls_pipeline(int ii) __attribute__((noduplicate, convergent));
extern "C" void __hls_halt() __attribute__((noduplicate, convergent));
extern "C" bool __hls_late(bool flag) __attribute__((noduplicate, convergent));
#else
#define HLS_MEMBER
#define HLS_STATE
#define HLS_ANNOTATE(text)
#endif

// A process: an endless loop that runs beside the others and meets them at streams, ports and
// shared RAMs.
#define HLS_PROCESS HLS_ANNOTATE("hls.process") HLS_MEMBER void

// An on-chip memory of `depth` words; a word is a struct of one array, read and written whole or
// lane by lane.
#define HLS_RAM(type, name, depth) HLS_ANNOTATE("hls.ram") HLS_STATE type name[depth]
// The same in `banks` parts by the top bits of the index, each with ports of its own. Their number
// is a power of two, and so is that of the words of each, from 2 on.
#define HLS_BANKED_RAM(type, name, depth, banks) \
  HLS_ANNOTATE("hls.ram:banks=" #banks) HLS_STATE type name[depth]

// State of one process that outlives an iteration (or is read by the control registers). It starts
// as zeros; what is in RAMs before they are written is for nobody to know.
#define HLS_REGISTER(type, name) HLS_ANNOTATE("hls.register") HLS_STATE type name

// An input that is constant while a program runs: a wire from the control registers.
#define HLS_INPUT(type, name) HLS_ANNOTATE("hls.input") HLS_STATE type name

#ifdef __HLSC__
#define HLS_CHANNEL(type, name) HLS_STATE type name
#else
#define HLS_CHANNEL(type, name) \
  type name { #name }
#endif
#define HLS_COMMA ,
#define HLS_STREAM(type, name, depth) HLS_CHANNEL(::hls::stream<type HLS_COMMA depth>, name)
#define HLS_TOKENS(name, depth) HLS_CHANNEL(::hls::token_queue<depth>, name)
#define HLS_READ_PORT(name, bursts) HLS_CHANNEL(::hls::read_port<bursts>, name)
#define HLS_WRITE_PORT(name, bursts) HLS_CHANNEL(::hls::write_port<bursts>, name)

// First statement of a loop body: start an iteration every `ii` cycles.
#if defined(__HLSC__)
#define HLS_PIPELINE(ii) __hls_pipeline(ii)
#elif defined(__VITIS_HLS__)
#define HLS_PIPELINE(ii) _Pragma("HLS PIPELINE II=" #ii)
#else
#define HLS_PIPELINE(ii)
#endif

// In the condition of a loop: the value of `flag`, a register, some iterations late perhaps. What
// an iteration finds out need not be known before the next one starts; the body asks the register
// itself before it has any effect. With another condition it goes by `&`: `&&` would be a branch.
#ifdef __HLSC__
#define HLS_LATE(flag) __hls_late(flag)
#else
#define HLS_LATE(flag) (flag)
#endif

// Before a loop over lanes: all iterations at once, in space. Natively the vectorizer does that.
#if defined(__HLSC__)
#define HLS_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__VITIS_HLS__)
#define HLS_UNROLL _Pragma("HLS UNROLL")
#else
#define HLS_UNROLL
#endif

// Code of the simulator alone: it watches, it never changes what the hardware would compute.
#ifdef __HLSC__
#define HLS_NATIVE_ONLY(statement)
#else
#define HLS_NATIVE_ONLY(statement) statement
#endif

#endif  // VTA_HW_HLS_PRAGMA_H_
