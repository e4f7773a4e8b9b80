# SPDX-License-Identifier: Apache-2.0
#
# Runs hw/fpga/boards/build.tcl without Vivado: records every Vivado command with its arguments.
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
# infinite slack. `pulse_width`: the slack in the report of the timing. `violations`: the severity of each rule's violation.
# `cells`: of the netlist.
proc reset_vivado {} {
  set ::calls {}
  set ::version 2022.1
  set ::pulse_width 3.750
  set ::cells {PS7 DSP48E1}
  array set ::slacks {-setup 0.123 -hold 0.045}
  array set ::violations {drc {DPIP-1#1 Warning} methodology {TIMING-18#1 Warning}}
}
# The table of a report of the timing, in the form that Vivado prints.
proc write_timing_report {file} {
  set channel [open $file w]
  tcl_puts $channel "| Design Timing Summary\n"
  tcl_puts $channel "    WNS(ns)      TNS(ns)  TNS Failing Endpoints  TNS Total Endpoints      WHS(ns)      THS(ns)  THS Failing\
    Endpoints  THS Total Endpoints     WPWS(ns)     TPWS(ns)  TPWS Failing Endpoints  TPWS Total Endpoints"
  tcl_puts $channel "    -------      -------  ---------------------  -------------------      -------      -------  -----------"
  tcl_puts $channel "      0.123        0.000                      0                48410        0.045        0.000\
                      0                48410        $::pulse_width        0.000                       0                 17000"
  close $channel
}
# An object of Vivado is its name here: "path -setup", "RULE#N".
proc property {name object} {
  if {$name eq "SEVERITY"} {return [dict get [concat $::violations(drc) $::violations(methodology)] $object]}
  set slack $::slacks([lindex $object end])
  return [expr {$slack eq "" ? "inf" : $slack}]
}
proc unknown {command args} {
  lappend ::calls [concat $command $args]
  switch -- $command {
    version {return $::version}
    get_timing_paths {return [expr {$::slacks([lindex $args end]) eq "" && "-no_report_unconstrained" in $args ? "" : "path [lindex $args end]"}]}
    get_property {return [property {*}$args]}
    get_drc_violations {return [dict keys $::violations(drc)]}
    get_methodology_violations {return [dict keys $::violations(methodology)]}
    get_cells {return [lsearch -all -inline $::cells [lindex $args end end]]}
    report_timing_summary {write_timing_report [lindex $args end]}
    opt_design - phys_opt_design - place_design - read_verilog - read_xdc - report_clock_utilization - report_drc -
    report_methodology - report_power - report_pulse_width - report_utilization - route_design - set_param - synth_design -
    write_bitstream {return}
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
proc constraint {number} {lindex [split [slurp [file join $::out clock.xdc]] "\n"] $number}
proc clock {} {constraint 0}
expect "the clock" {create_clock -name fclk0 -period 10.000 \[get_pins {ps7/FCLKCLK\[0\]}\]} [clock]
expect "its jitter" {set_input_jitter \[get_clocks fclk0\] 0.300} [constraint 1]
expect "what is kept" {set_property DONT_TOUCH true \[get_cells {ps7 vta}\]} [constraint 2]
set top [slurp $zynq_top]
foreach what {{PS7 ps7 \(} {\.FCLKCLK\(fclk\)} {\.DDRARB\(4'd0\)} {parameter CLOCK_HZ} {parameter EXTENSION} {\) vta \(} {module vta_zynq_top}} {
  expect "$what in the top" 1 [regexp $what $top]
}

# Cases that must be errors, and leave no bitstream, not even an old one. `setting`: a command that makes the case.
foreach {what setting pattern} {
  "a setup slack below 0"  {set slacks(-setup) -0.2}  {build.tcl: timing is not met: setup slack -0.2 ns at 100000000 Hz; see */timing.rpt}
  "a hold slack below 0"   {set slacks(-hold) -0.01}  {build.tcl: timing is not met: hold slack -0.01 ns*}
  "a pulse that is short"  {set pulse_width -0.5}     {build.tcl: timing is not met: pulse width slack -0.5 ns*}
  "no figure of pulses"    {set pulse_width NA}       {build.tcl: no slack of pulse widths (WPWS) in */timing.rpt}
  "nothing constrained"    {set slacks(-setup) {}}    {build.tcl: no path of setup: the design has no timing constraints}
  "a design rule"          {set violations(drc) {UTLZ-1#1 Error UTLZ-1#2 Error DPIP-1#1 Warning}}
                                                      {build.tcl: violations of drc: UTLZ-1; see */drc.rpt}
  "a rule of methodology"  {set violations(methodology) {TIMING-17#1 {Critical Warning}}}
                                                      {build.tcl: violations of methodology: TIMING-17; see */methodology.rpt}
  "no processing system"   {set cells DSP48E1}        {build.tcl: the processing system is missing in the netlist: *}
  "a core that was swept"  {set cells PS7}            {build.tcl: the core is missing in the netlist: *}
} {
  reset_vivado
  eval $setting
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
expect "its jitter" {set_input_jitter \[get_clocks fclk0\] 0.210} [constraint 1]
expect "its directive" 2 [llength [lsearch -all $calls "phys_opt_design -directive Explore"]]
file delete -force $out
if {$failures} {exit 1}
tcl_puts "ok: [llength [split $recorded \n]] calls"
