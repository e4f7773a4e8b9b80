# SPDX-License-Identifier: Apache-2.0
# From the design's Verilog to a bitstream, in Vivado 2020.1 or later, without a project or a block design. hw/fpga/build_bitstream
# calls it:
#   vivado -mode batch -source build.tcl -tclargs KEY VALUE ...
# Keys, all required:
#   part       of the FPGA, as in configs/boards
#   clock_hz   of FCLK0, which drives everything
#   extension  1 or 0
#   sources    a file with the names of the Verilog files, packages first, one per line; the top is vta_zynq_top
#   directive  of each step of the implementation: Default or Explore
#   threads    at most 8
#   out        folder for vta.bit and the reports; must exist
# Fails, without a bitstream, if the timing is not met (setup, hold or pulse width), if a design rule or a rule of methodology is
# violated at least as a critical warning, or if the processing system or the core is missing from the netlist. Such a bitstream may compute
# wrong results occasionally, or none.

# Rules, such as TIMING-17, whose violations were examined and are harmless here.
set accepted_rules {}

proc fail {message} {
  error "build.tcl: $message"
}

proc read_options {arguments} {
  if {[llength $arguments] % 2} {fail "an odd number of words after -tclargs: $arguments"}
  foreach key {part clock_hz extension sources directive threads out} {
    if {![dict exists $arguments $key]} {fail "option $key is missing"}
  }
  return $arguments
}

proc check_version {} {
  set version [version -short]
  if {![regexp {^(\d+)\.(\d+)} $version -> year release]} {fail "expected a Vivado version such as 2022.1, got '$version'"}
  if {$year * 10 + $release < 20201} {fail "Vivado $version: 2020.1 or later is needed"}
}

proc read_lines {file} {
  set channel [open $file]
  set lines [split [string trim [read $channel]] "\n"]
  close $channel
  return $lines
}

# The only clock, with the jitter that Xilinx's own constraints of the processing system state: 3 % of the period. The top has no
# ports, so that a tool may remove everything that reaches none: DONT_TOUCH keeps the instances of the top. A file, because synthesis
# reads constraints from files only.
proc write_constraints {o} {
  set file [file join [dict get $o out] clock.xdc]
  set period [expr {1e9 / [dict get $o clock_hz]}]
  set channel [open $file w]
  puts $channel "create_clock -name fclk0 -period [format %.3f $period] \[get_pins {ps7/FCLKCLK\[0\]}\]"
  puts $channel "set_input_jitter \[get_clocks fclk0\] [format %.3f [expr {0.03 * $period}]]"
  puts $channel "set_property DONT_TOUCH true \[get_cells {ps7 vta}\]"
  close $channel
  return $file
}

proc synthesize {o} {
  read_verilog -sv [read_lines [dict get $o sources]]
  read_xdc [write_constraints $o]
  synth_design -top vta_zynq_top -part [dict get $o part] -generic CLOCK_HZ=[dict get $o clock_hz] \
    -generic EXTENSION=[dict get $o extension]
}

proc implement {o} {
  set directive [dict get $o directive]
  opt_design -directive $directive
  place_design -directive $directive
  phys_opt_design -directive $directive
  route_design -directive $directive
  if {$directive ne "Default"} {phys_opt_design -directive $directive}
}

# Slack of the worst path, ns.
proc slack {analysis} {
  set path [get_timing_paths -no_report_unconstrained -max_paths 1 $analysis]
  if {$path eq ""} {fail "no path of [string trimleft $analysis -]: the design has no timing constraints"}
  return [get_property SLACK $path]
}

# The worst slack of the pulse widths, ns: no command returns it, so it is read from the report, from the line of figures below the
# headers.
proc pulse_width_slack {report} {
  set lines [read_lines $report]
  set header [lsearch -glob $lines {*WNS(ns)*WPWS(ns)*}]
  set figures [lindex $lines [expr {$header + 2}]]
  set slack [lindex $figures 8]
  if {$header < 0 || ![string is double -strict $slack]} {fail "no slack of pulse widths (WPWS) in $report"}
  return $slack
}

# The reports show where the timing is missed, so all of them are written before a check fails.
proc write_reports {o} {
  set out [dict get $o out]
  report_timing_summary -max_paths 20 -file [file join $out timing.rpt]
  report_pulse_width -file [file join $out pulse_width.rpt]
  report_drc -file [file join $out drc.rpt]
  report_methodology -file [file join $out methodology.rpt]
  report_utilization -hierarchical -file [file join $out utilization.rpt]
  report_clock_utilization -file [file join $out clocks.rpt]
  report_power -file [file join $out power.rpt]
}

proc require_timing {o} {
  set report [file join [dict get $o out] timing.rpt]
  set slacks [list setup [slack -setup] hold [slack -hold] "pulse width" [pulse_width_slack $report]]
  foreach {what slack} $slacks {
    if {$slack < 0} {fail "timing is not met: $what slack $slack ns at [dict get $o clock_hz] Hz; see $report"}
  }
}

# violations: of the report that has just been written.
proc require_rules {o what violations} {
  set bad {}
  foreach violation $violations {
    set rule [lindex [split $violation "#"] 0]
    if {[get_property SEVERITY $violation] in {Fatal Error {Critical Warning}} && $rule ni $::accepted_rules} {lappend bad $rule}
  }
  if {[llength $bad]} {fail "violations of $what: [lsort -unique $bad]; see [file join [dict get $o out] $what.rpt]"}
}

# Synthesis keeps what reaches a pin of the processing system; a core that was removed has no DSPs.
proc require_design {} {
  foreach {what filter} {"processing system" {REF_NAME == PS7} core {REF_NAME == DSP48E1}} {
    if {![llength [get_cells -hierarchical -filter $filter]]} {fail "the $what is missing in the netlist: no cell with $filter"}
  }
}

set options [read_options $argv]
check_version
set_param general.maxThreads [dict get $options threads]
set bitstream [file join [dict get $options out] vta.bit]
file delete $bitstream
synthesize $options
implement $options
require_design
write_reports $options
require_timing $options
require_rules $options drc [get_drc_violations]
require_rules $options methodology [get_methodology_violations]
write_bitstream $bitstream
puts "build.tcl: $bitstream is done"
