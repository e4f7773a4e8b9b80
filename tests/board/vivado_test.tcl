# SPDX-License-Identifier: Apache-2.0
#
# Runs hw/boards/build.tcl without Vivado: records every Vivado command with its arguments.
# usage: tclsh vivado_test.tcl BUILD.TCL ZYNQ_TOP.SV CALLS.TXT
# The recorded calls must equal CALLS.TXT; VTA_UPDATE_CALLS=1 writes that file.
lassign $argv build_script zynq_top golden

proc slurp {file} {
  set channel [open $file]
  set text [read $channel]
  close $channel
  return $text
}

# Vivado. `slacks`: of its worst paths, in ns; none if the design has no constraints: then Vivado has unconstrained paths, with an
# infinite slack.
proc reset_vivado {} {
  set ::calls {}
  set ::version 2022.1
  array set ::slacks {-setup 0.123 -hold 0.045}
}
proc unknown {command args} {
  lappend ::calls [concat $command $args]
  switch -- $command {
    version {return $::version}
    get_timing_paths {return [expr {$::slacks([lindex $args end]) eq "" && "-no_report_unconstrained" in $args ? "" : "path [lindex $args end]"}]}
    get_property {
      set slack $::slacks([lindex $args end end])
      return [expr {$slack eq "" ? "inf" : $slack}]
    }
    opt_design - phys_opt_design - place_design - read_verilog - read_xdc - report_clock_utilization - report_power -
    report_timing_summary - report_utilization - route_design - set_param - synth_design - write_bitstream {return}
    default {error "test: build.tcl calls $command, which is none of Vivado's that it is known to call"}
  }
}
rename puts tcl_puts
proc puts {args} {if {[llength $args] > 1} {tcl_puts {*}$args}}

set out [exec mktemp -d]

# Runs the script; returns "" or its error.
proc build {args} {
  set ::argv [dict create part xc7z020clg400-1 clock_hz 100000000 extension 1 sources $::sources directive Default threads 2 \
    out $::out {*}$args]
  if {[catch {uplevel #0 [list source $::build_script]} message]} {return $message}
  return ""
}

set failures 0
proc expect {what pattern got} {
  if {[string match $pattern $got]} return
  tcl_puts stderr "FAILED: $what:\n  expected: $pattern\n  got:      $got"
  incr ::failures
}

set sources [file join $out sources]
set channel [open $sources w]
tcl_puts $channel "/rtl/vta_registers_pkg.sv\n/rtl/vta_zynq_top.sv"
close $channel

# The call list.
reset_vivado
expect "a build" "" [build]
set recorded [join [lmap call $calls {string map [list $out OUT] $call}] "\n"]
if {[info exists env(VTA_UPDATE_CALLS)]} {
  set channel [open $golden w]
  tcl_puts $channel $recorded
  close $channel
}
set expected [string trimright [slurp $golden] "\n"]
foreach got [split $recorded "\n"] want [split $expected "\n"] {
  if {$got eq $want} continue
  expect "the list of calls" $want $got
  break
}

# The clock is at a pin of the top, and what the script sets are the top's parameters.
proc clock {} {string trim [slurp [file join $::out clock.xdc]]}
expect "the clock" {create_clock -name fclk0 -period 10.000 \[get_pins {ps7/FCLKCLK\[0\]}\]} [clock]
set top [slurp $zynq_top]
foreach what {{PS7 ps7 \(} {\.FCLKCLK\(fclk\)} {parameter CLOCK_HZ} {parameter EXTENSION} {module vta_zynq_top}} {
  expect "$what in the top" 1 [regexp $what $top]
}

# Cases that must be errors, and leave no bitstream, not even an old one.
foreach {what path slack pattern} {
  "a setup slack below 0" -setup -0.2  {build.tcl: timing is not met: setup slack -0.2 ns at 100000000 Hz; see */timing.rpt}
  "a hold slack below 0"  -hold  -0.01 {build.tcl: timing is not met: hold slack -0.01 ns*}
  "nothing constrained"   -setup {}    {build.tcl: no path of setup: the design has no timing constraints}
} {
  reset_vivado
  set slacks($path) $slack
  close [open [file join $out vta.bit] w]
  expect $what $pattern [build]
  if {[lsearch -glob $calls write_bitstream*] >= 0} {expect $what "no bitstream" "one is written"}
  if {[file exists [file join $out vta.bit]]} {expect $what "no bitstream" "one is left"}
}
foreach {installed pattern} {2019.2 {build.tcl: Vivado 2019.2: 2020.1 or later is needed} 2020.1 {} 2024.2 {}} {
  reset_vivado
  set version $installed
  expect "Vivado $installed" $pattern [build]
}
reset_vivado
set argv {part xc7z020clg400-1}
catch {source $build_script} message
expect "a missing option" {build.tcl: option clock_hz is missing} $message

# The fast variant.
reset_vivado
expect "the fast variant" "" [build clock_hz 142857142 directive Explore]
expect "its clock" "create_clock -name fclk0 -period 7.000 *" [clock]
expect "its directive" 2 [llength [lsearch -all $calls "phys_opt_design -directive Explore"]]
file delete -force $out
if {$failures} {exit 1}
tcl_puts "ok: [llength [split $recorded \n]] calls"
