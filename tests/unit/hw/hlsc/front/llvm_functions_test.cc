// SPDX-License-Identifier: Apache-2.0
//
// Passes of our own on functions that clang hardly makes.
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <memory>
#include <string>

#include "hw/hlsc/front/overflows.h"
#include "hw/hlsc/front/pointer_choices.h"
#include "hw/hlsc/front/unroll_by.h"

namespace vta::hlsc::front {
namespace {

class LlvmFunction : public testing::Test {
 protected:
  // The function @f of the module.
  llvm::Function& parse(const char* text) {
    llvm::SMDiagnostic error;
    module_ = llvm::parseAssemblyString(text, error, context_);
    EXPECT_NE(module_, nullptr) << error.getMessage().str();
    return *module_->getFunction("f");
  }
  std::string printed() const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module_->print(stream, nullptr);
    return text;
  }

 private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(LlvmFunction, KeepsAllPartsOfACheckedSumThatIsUsedWhole) {
  llvm::Function& f = parse(R"(
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
define i1 @f(i32 %a, i32 %b, ptr %place) {
  %pair = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %sum = extractvalue { i32, i1 } %pair, 0
  store { i32, i1 } %pair, ptr %place
  %overflows = extractvalue { i32, i1 } %pair, 1
  ret i1 %overflows
})");
  expand_overflows(f);
  const auto is_part = [](const llvm::Instruction& one) {
    return llvm::isa<llvm::ExtractValueInst>(one);
  };
  EXPECT_EQ(std::count_if(llvm::inst_begin(f), llvm::inst_end(f), is_part), 2);
  EXPECT_EQ(f.getInstructionCount(), 5u);
}

TEST_F(LlvmFunction, HasOnePlaceForAllEdgesOfASwitch) {
  llvm::Function& f = parse(R"(
@m = global [16 x i16] zeroinitializer
@n = global [16 x i16] zeroinitializer
define i16 @f(i32 %x, i64 %i) {
entry:
  %lane = getelementptr [16 x i16], ptr @m, i64 0, i64 %i
  switch i32 %x, label %other [ i32 1, label %end
                                i32 2, label %end ]
other:
  br label %end
end:
  %p = phi ptr [ %lane, %entry ], [ %lane, %entry ], [ @n, %other ]
  %loaded = load i16, ptr %p
  ret i16 %loaded
})");
  EXPECT_TRUE(expand_pointer_choices(f));
  EXPECT_FALSE(llvm::verifyFunction(f, &llvm::errs()));
}

TEST_F(LlvmFunction, HasNoMarkOfALoopThatIsUnrolled) {
  llvm::Function& f = parse(R"(
declare void @g(i32)
define void @f() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @g(i32 %i)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 4})");
  unroll_by_counts(f);
  EXPECT_GT(f.getInstructionCount(), 10u);
  EXPECT_EQ(printed().find("llvm.loop.unroll.count"), std::string::npos);
}

}  // namespace
}  // namespace vta::hlsc::front
