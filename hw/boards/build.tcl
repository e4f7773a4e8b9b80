# SPDX-License-Identifier: Apache-2.0
# From the design's Verilog to a bitstream, in Vivado 2020.1 or later, without a project or a block design. scripts/build_bitstream
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
# Fails if the timing is not met: such a bitstream may compute wrong results occasionally.

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

# The only clock. A file, because synthesis reads constraints from files only.
proc write_clock {o} {
  set file [file join [dict get $o out] clock.xdc]
  set channel [open $file w]
  puts $channel "create_clock -name fclk0 -period [format %.3f [expr {1e9 / [dict get $o clock_hz]}]] \[get_pins {ps7/FCLKCLK\[0\]}\]"
  close $channel
  return $file
}

proc synthesize {o} {
  read_verilog -sv [read_lines [dict get $o sources]]
  read_xdc [write_clock $o]
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

# Of the worst path: ns.
proc slack {analysis} {
  set path [get_timing_paths -no_report_unconstrained -max_paths 1 $analysis]
  if {$path eq ""} {fail "no path of [string trimleft $analysis -]: the design has no timing constraints"}
  return [get_property SLACK $path]
}

# Writes the reports first: they show where the timing is missed.
proc require_timing {o} {
  set out [dict get $o out]
  report_timing_summary -max_paths 20 -file [file join $out timing.rpt]
  report_utilization -hierarchical -file [file join $out utilization.rpt]
  report_clock_utilization -file [file join $out clocks.rpt]
  report_power -file [file join $out power.rpt]
  foreach what {setup hold} {
    set slack [slack -$what]
    if {$slack < 0} {fail "timing is not met: $what slack $slack ns at [dict get $o clock_hz] Hz; see [file join $out timing.rpt]"}
  }
}

set options [read_options $argv]
check_version
set_param general.maxThreads [dict get $options threads]
set bitstream [file join [dict get $options out] vta.bit]
file delete $bitstream
synthesize $options
implement $options
require_timing $options
write_bitstream $bitstream
puts "build.tcl: $bitstream is done"
