// SPDX-License-Identifier: Apache-2.0
//
// Macros for hardware constructs in C++. Each has an implementation for the native build (the
// functional simulator) and one for hlsc (which defines __HLSC__ and compiles the source to
// hardware). HLS_PIPELINE and HLS_UNROLL also expand to the pragmas of Vitis HLS.
//
// A design is one class template: its members are the RAMs, registers, streams and ports, its
// member functions the processes. Natively they are ordinary members, so that a program can hold
// several devices. For hlsc they are inline static members, that is, externally visible global
// symbols; they are defined because clang keeps annotations of definitions only.
#ifndef VTA_HW_HLS_PRAGMA_H_
#define VTA_HW_HLS_PRAGMA_H_

#ifdef __HLSC__
#define HLS_MEMBER static
#define HLS_RAM_ALIGNMENT
#define HLS_REPLACEABLE static
#define HLS_STATE static inline
#define HLS_ANNOTATE(...) __attribute__((annotate(__VA_ARGS__)))
extern "C" void __hls_pipeline(int ii) __attribute__((noduplicate, convergent));
extern "C" void __hls_halt() __attribute__((noduplicate, convergent));
extern "C" bool __hls_late(bool flag) __attribute__((noduplicate, convergent));
#else
#define HLS_MEMBER
#define HLS_RAM_ALIGNMENT alignas(64)  // words within cache lines
#define HLS_REPLACEABLE virtual
#define HLS_STATE
#define HLS_ANNOTATE(...)
#endif

// HLS_REPLACEABLE instead of HLS_MEMBER: natively, a derived class may override the function with a
// faster one of the same effects.

// A process: an endless loop that runs concurrently with the others and communicates with them
// through streams, ports and shared RAMs.
#define HLS_PROCESS HLS_ANNOTATE("hls.process") HLS_MEMBER void

// An on-chip RAM of `depth` words. A word is a struct of one array; it is read and written whole or
// lane by lane. `HLS_RAM(T, name, depth) = {...};` gives it initial contents, with `const T` a ROM.
#define HLS_RAM(type, name, depth) \
  HLS_ANNOTATE("hls.ram", sizeof(type)) HLS_STATE HLS_RAM_ALIGNMENT type name[depth]
// A RAM in `banks` banks, selected by the top bits of the index, each with its own ports. `banks`
// and the words of a bank (at least 2) are powers of two.
#define HLS_BANKED_RAM(type, name, depth, banks) \
  HLS_ANNOTATE("hls.ram:banks=" #banks, sizeof(type)) HLS_STATE HLS_RAM_ALIGNMENT type name[depth]
// A RAM in `ways` RAMs, selected by the low bits of the index, each in `banks` banks: consecutive
// words can be accessed in one cycle. An access whose low bits are constant, such as `ram[i | 1]`,
// uses the ports of one of them only. `ways` is a power of two, and may be a template's constant.
#define HLS_INTERLEAVED_RAM(type, name, depth, ways, banks) \
  HLS_ANNOTATE("hls.ram:banks=" #banks, sizeof(type), ways) \
  HLS_STATE HLS_RAM_ALIGNMENT type name[depth]

// State that one process writes; other processes and the control registers may read it. Registers
// reset to their initializer, `HLS_REGISTER(T, name) = 3;`, or to zero. RAMs without an initializer
// are undefined until they are written; a reset does not restore contents.
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
// `count` streams, name[0] to name[count - 1]; the index may be a variable.
#ifdef __HLSC__
#define HLS_STREAMS(type, name, count, depth) \
  HLS_STATE ::hls::stream<type HLS_COMMA depth> name[count]
#else
#define HLS_STREAMS(type, name, count, depth) \
  ::hls::streams<type HLS_COMMA count HLS_COMMA depth> name { #name }
#endif
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

// In a loop condition: the value of the register `flag`, possibly some iterations old, so that an
// iteration can start before the previous one has written the flag. The body must test the register
// itself before any effect. Combine it with other conditions by `&`: `&&` would be a branch.
#ifdef __HLSC__
#define HLS_LATE(flag) __hls_late(flag)
#else
#define HLS_LATE(flag) (flag)
#endif

// Before a loop over lanes: unrolls it fully, into parallel hardware. Natively it is left to the
// vectorizer.
#if defined(__HLSC__)
#define HLS_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__VITIS_HLS__)
#define HLS_UNROLL _Pragma("HLS UNROLL")
#else
#define HLS_UNROLL
#endif

// Before a loop whose number of iterations is a constant multiple of `count`: makes `count`
// iterations one.
#define HLS_PRAGMA(text) _Pragma(#text)
#if defined(__HLSC__)
#define HLS_UNROLL_BY(count) HLS_PRAGMA(clang loop unroll_count(count))
#elif defined(__VITIS_HLS__)
#define HLS_UNROLL_BY(count) HLS_PRAGMA(HLS UNROLL factor = count)
#else
#define HLS_UNROLL_BY(count)
#endif

// Code for the simulator only: it observes and must not change any result.
#ifdef __HLSC__
#define HLS_NATIVE_ONLY(statement)
#else
#define HLS_NATIVE_ONLY(statement) statement
#endif

#endif  // VTA_HW_HLS_PRAGMA_H_
