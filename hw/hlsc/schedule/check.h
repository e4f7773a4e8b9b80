// SPDX-License-Identifier: Apache-2.0
//
// Verifies that a schedule preserves the meaning of the source. The rules read only the finished
// schedule, so a bug of a scheduler does not become hardware. With the schedulers they share the
// delays (delay.h, counter_delays.h), the deadlines (deadline.h) and the analyses of passes/.
//
// Everywhere:
//   complete          every operation, and the word of every read, has a step of its sequence
//   data              no value is used before it is available, a RAM's word a step after its read
//   budget            operations chained in a step fit the clock, unless one alone does not
//   deadline          operands leave time for ports and stall conditions, and what a loop starts
//                     from for its counters, unless they come from registers
// Outside nests, where the operations of a step happen when it ends:
//   effect order      operations with effects and operations that may wait keep their order; memory
//                     is accessed when its step ends, so an access before several operations that
//                     may wait has a step of its own
//   one wait          a step has one operation that may wait, or several without results, of
//                     different objects
//   halt              no operation after a halt shares its step, and none before it has a later one
//   loop              a loop is entered after all earlier operations; later ones come after it
//   RAM port          a step reads a RAM once, and writes one word of it, or one of several
//   RAM order         a RAM's read comes after the previous writes, and not after later ones
//   register order    the same for registers
// In the body of a pipelined loop, of which an iteration starts every interval:
//   no halt           a halt would have to stop iterations in flight
//   register distance a register is read at most an interval - 1 stages before it is written, and
//                     not after; its writes lie within an interval
//   RAM stages        each read of a RAM has its own stage, and so have writes of different words
//   RAM interval      a RAM's writes lie within an interval, which has as many cycles as there are
//                     reads; a read comes before the next iteration's write
//   RAM order         a RAM is written in order, and not before it is read, unless the predicates
//                     are mutually exclusive; a read after a write needs no order, as stores of an
//                     iteration have been forwarded to its loads, unless another process may have
//                     changed the word
//   output register   a word that passes through the output register of its RAM is the only one
//                     that the design reads there, has one bank, and is not written in the body
//   late word         a word that waits a stage for older iterations' writes is used before its own
//                     iteration writes it, and such a write leaves time for the forwarding
//   stream interval   the uses of one end of a stream or port lie within an interval
//   wait order        operations that may wait have stages of their own, in order
//   shared memory     accesses of RAMs and registers that several processes use keep their order
//                     with operations that may wait
//   synchronization   an access of such memory comes before the next iteration gives something to
//                     another process (release), and after the previous iteration has taken
//                     something (acquire)
//   interval          the initiation interval is the one that the source asks for
#ifndef VTA_HW_HLSC_SCHEDULE_CHECK_H_
#define VTA_HW_HLSC_SCHEDULE_CHECK_H_

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// `design` is the one that was scheduled.
// Errors: kInvalidArgument "file:line: process ...: rule '...': ...", naming the operations.
void check(const ir::Design& design, const Schedule& schedule);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_CHECK_H_
