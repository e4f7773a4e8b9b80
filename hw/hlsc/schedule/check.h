// SPDX-License-Identifier: Apache-2.0
//
// Whether a schedule keeps what the source says. The rules look at the finished schedule only and
// share nothing with the schedulers but the delays, so that a mistake of theirs does not become
// hardware.
//
// Everywhere:
//   complete          every operation has a step that its sequence has; so has the word of a read
//   data              no value is used before it is there, a RAM's word a step after its read
//   budget            operations chained in a step fit the clock, unless one alone does not
// Outside nests, where the operations of a step happen when it ends:
//   effect order      what has an effect does not pass what may wait, nor the other way round; what
//                     touches memory does so when its step ends, so that in front of several
//                     operations that may wait it has a step of its own
//   one wait          a step has one operation that may wait, or several without results, of
//                     different objects
//   halt              nothing behind a halt has its step, and nothing in front of it a later one
//   loop              a loop is entered after all that is in front of it, all else comes after it
//   RAM port          a step reads a RAM once, and writes one word of it, or one of several
//   RAM order         a RAM's read comes after the writes in front of it, not after those behind
//   register order    likewise for registers
// In the body of a pipelined loop, of which an iteration starts every interval:
//   no halt           a halt would have to stop what is under way
//   register distance a register is read before it is written, or with it, by less than an
//                     interval; its writes lie within one
//   RAM stages        reads of a RAM have stages of their own, so have writes of several words
//   RAM interval      a RAM's writes lie within an interval, with a read of what they have left;
//                     no more reads than cycles of it
//   RAM order         a RAM is read before it is written, or with it, and written in order; what
//                     an iteration reads of its own writes has been handed on to it, but where
//                     another process may have changed it
//   late word         a word that waits a stage for older iterations' writes meets no write of its
//                     own iteration before it is used, and such a write has the time to meet it
//   stream interval   the uses of one end of a stream or port lie within an interval
//   wait order        operations that may wait have stages of their own, in order
//   shared memory     accesses to RAMs and registers that several processes use do not pass what
//                     may wait
//   agreement         an access of such memory comes before what the next iteration gives another
//                     process, and what an iteration takes before an access of the next one
//   interval          is the one that the source asks for
#ifndef VTA_HW_HLSC_SCHEDULE_CHECK_H_
#define VTA_HW_HLSC_SCHEDULE_CHECK_H_

#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::schedule {

// `design` is the one that was scheduled.
// Errors: kInvalidArgument "file:line: process ...: rule '...': ...", naming the operations.
void check(const ir::Design& design, const Schedule& schedule);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_CHECK_H_
