# SPDX-License-Identifier: Apache-2.0
# From the core's Verilog to a bitstream, in Vivado 2020.1 or later. scripts/build_bitstream calls it:
#   vivado -mode batch -source build.tcl -tclargs KEY VALUE ...
# Keys, all required; numbers as in configs/boards:
#   part, clock_hz, registers_base, registers_bytes, memory_bytes, load_port, other_port
#   ps7        the file that sets vta_ps7
#   sources    a file with the names of the Verilog files, one per line
#   extension  1 or 0
#   strategy   of the implementation: Vivado's default, or a name
#   jobs       parallel processes
#   out        folder for vta.bit, vta.hwh, vta.xsa and the reports; must exist
# Fails if the timing is not met: such a bitstream may compute wrong results occasionally.

proc fail {message} {
  error "build.tcl: $message"
}

proc read_options {arguments} {
  if {[llength $arguments] % 2} {fail "an odd number of words after -tclargs: $arguments"}
  foreach key {part clock_hz registers_base registers_bytes memory_bytes load_port other_port ps7 sources extension \
      strategy jobs out} {
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

# Packages the core as the IP vta:user:vta_ip:1.0. vta_ip.v names its interfaces.
proc package_core {o} {
  set folder [file join [dict get $o out] ip]
  create_project -force package [file join [dict get $o out] package] -part [dict get $o part]
  add_files -norecurse [read_lines [dict get $o sources]]
  set_property top vta_ip [current_fileset]
  update_compile_order -fileset sources_1
  ipx::package_project -root_dir $folder -vendor vta -library user -taxonomy /UserIP -import_files -set_current true
  set core [ipx::current_core]
  set_property name vta_ip $core
  set_property version 1.0 $core
  set_property display_name "VTA core" $core
  foreach bus {s_axi m_axi_fetch m_axi_load m_axi_uop m_axi_acc m_axi_store} {
    ipx::associate_bus_interfaces -busif $bus -clock aclk $core
  }
  ipx::create_xgui_files $core
  ipx::update_checksums $core
  ipx::check_integrity $core
  ipx::save_core $core
  close_project
  return $folder
}

# The processing system: pins and DDR, one clock, two memory ports, the interrupt.
proc add_processing_system {o} {
  set ps [create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7 ps7]
  source [dict get $o ps7]
  set settings {}
  dict for {name value} $vta_ps7 {lappend settings CONFIG.$name $value}
  set mhz [format %.6f [expr {[dict get $o clock_hz] / 1e6}]]
  lappend settings CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ $mhz CONFIG.PCW_FPGA_FCLK0_ENABLE 1 CONFIG.PCW_USE_M_AXI_GP0 1 \
    CONFIG.PCW_USE_FABRIC_INTERRUPT 1 CONFIG.PCW_IRQ_F2P_INTR 1
  foreach port [list [dict get $o load_port] [dict get $o other_port]] {
    lappend settings CONFIG.PCW_USE_S_AXI_HP$port 1 CONFIG.PCW_S_AXI_HP${port}_DATA_WIDTH 64
  }
  set_property -dict $settings $ps
  foreach {interface vlnv} {DDR xilinx.com:interface:ddrx_rtl:1.0 FIXED_IO xilinx.com:display_processing_system7:fixedio_rtl:1.0} {
    create_bd_intf_port -mode Master -vlnv $vlnv $interface
    connect_bd_intf_net [get_bd_intf_ports $interface] [get_bd_intf_pins ps7/$interface]
  }
}

proc add_interconnect {name masters slaves} {
  set cell [create_bd_cell -type ip -vlnv xilinx.com:ip:axi_interconnect $name]
  set_property -dict [list CONFIG.NUM_SI $masters CONFIG.NUM_MI $slaves] $cell
}

proc connect_interfaces {args} {
  foreach {from to} $args {
    connect_bd_intf_net [get_bd_intf_pins $from] [get_bd_intf_pins $to]
  }
}

# The load master has its own port; the other four share one.
proc connect_core {o} {
  set load HP[dict get $o load_port]
  set other HP[dict get $o other_port]
  create_bd_cell -type ip -vlnv vta:user:vta_ip:1.0 vta_0
  set_property -dict [list CONFIG.CLOCK_HZ [dict get $o clock_hz] CONFIG.EXTENSION [dict get $o extension]] [get_bd_cells vta_0]
  add_interconnect control 1 1
  add_interconnect memory 4 1
  connect_interfaces ps7/M_AXI_GP0 control/S00_AXI control/M00_AXI vta_0/s_axi
  connect_interfaces vta_0/m_axi_load ps7/S_AXI_$load
  connect_interfaces vta_0/m_axi_fetch memory/S00_AXI vta_0/m_axi_uop memory/S01_AXI vta_0/m_axi_acc memory/S02_AXI \
    vta_0/m_axi_store memory/S03_AXI memory/M00_AXI ps7/S_AXI_$other
  connect_bd_net [get_bd_pins vta_0/irq] [get_bd_pins ps7/IRQ_F2P]

  create_bd_cell -type ip -vlnv xilinx.com:ip:proc_sys_reset reset
  connect_bd_net [get_bd_pins ps7/FCLK_RESET0_N] [get_bd_pins reset/ext_reset_in]
  set clocked [list ps7/M_AXI_GP0_ACLK ps7/S_AXI_${load}_ACLK ps7/S_AXI_${other}_ACLK reset/slowest_sync_clk vta_0/aclk \
    control/ACLK control/S00_ACLK control/M00_ACLK memory/ACLK memory/S00_ACLK memory/S01_ACLK memory/S02_ACLK \
    memory/S03_ACLK memory/M00_ACLK]
  foreach pin $clocked {connect_bd_net [get_bd_pins ps7/FCLK_CLK0] [get_bd_pins $pin]}
  foreach pin {control/ARESETN memory/ARESETN} {
    connect_bd_net [get_bd_pins reset/interconnect_aresetn] [get_bd_pins $pin]
  }
  foreach pin {vta_0/aresetn control/S00_ARESETN control/M00_ARESETN memory/S00_ARESETN memory/S01_ARESETN \
      memory/S02_ARESETN memory/S03_ARESETN memory/M00_ARESETN} {
    connect_bd_net [get_bd_pins reset/peripheral_aresetn] [get_bd_pins $pin]
  }
}

proc assign_addresses {o} {
  assign_bd_address -offset [dict get $o registers_base] -range [dict get $o registers_bytes] \
    -target_address_space [get_bd_addr_spaces ps7/Data] [get_bd_addr_segs vta_0/s_axi/reg0]
  set load HP[dict get $o load_port]
  set other HP[dict get $o other_port]
  foreach {master port} [list load $load fetch $other uop $other acc $other store $other] {
    assign_bd_address -offset 0x00000000 -range [dict get $o memory_bytes] \
      -target_address_space [get_bd_addr_spaces vta_0/m_axi_$master] [get_bd_addr_segs ps7/S_AXI_$port/${port}_DDR_LOWOCM]
  }
}

proc build_design {o ip} {
  create_project -force vta [file join [dict get $o out] project] -part [dict get $o part]
  set_property ip_repo_paths $ip [current_project]
  update_ip_catalog
  create_bd_design system
  add_processing_system $o
  connect_core $o
  assign_addresses $o
  validate_bd_design
  save_bd_design
  make_wrapper -files [get_files system.bd] -top -import
  set_property top system_wrapper [current_fileset]
  update_compile_order -fileset sources_1
}

proc finish_run {run} {
  wait_on_run $run
  if {[get_property PROGRESS [get_runs $run]] ne "100%"} {
    fail "$run failed: [get_property STATUS [get_runs $run]]; its log is runme.log in the project's $run folder"
  }
}

proc implement {o} {
  launch_runs synth_1 -jobs [dict get $o jobs]
  finish_run synth_1
  if {[dict get $o strategy] ne "default"} {set_property strategy [dict get $o strategy] [get_runs impl_1]}
  launch_runs impl_1 -to_step write_bitstream -jobs [dict get $o jobs]
  finish_run impl_1
}

# Writes the reports first: they show where the timing is missed.
proc require_timing {o} {
  set out [dict get $o out]
  open_run impl_1
  report_timing_summary -max_paths 20 -file [file join $out timing.rpt]
  report_utilization -hierarchical -file [file join $out utilization.rpt]
  report_clock_utilization -file [file join $out clocks.rpt]
  report_power -file [file join $out power.rpt]
  foreach {what property} {setup STATS.WNS hold STATS.WHS} {
    set slack [get_property $property [get_runs impl_1]]
    if {![string is double -strict $slack]} {fail "no $what slack: the design has no timing constraints"}
    if {$slack < 0} {fail "timing is not met: $what slack $slack ns at [dict get $o clock_hz] Hz; see [file join $out timing.rpt]"}
  }
}

proc export_results {o} {
  set out [dict get $o out]
  set project [file join $out project]
  file copy -force [file join $project vta.runs impl_1 system_wrapper.bit] [file join $out vta.bit]
  write_hw_platform -fixed -include_bit -force [file join $out vta.xsa]
  # Its location depends on the version.
  foreach folder {vta.gen vta.srcs} {
    set file [file join $project $folder sources_1 bd system hw_handoff system.hwh]
    if {[file exists $file]} {
      file copy -force $file [file join $out vta.hwh]
      return
    }
  }
  fail "no system.hwh in $project"
}

set options [read_options $argv]
check_version
set ip [package_core $options]
build_design $options $ip
implement $options
require_timing $options
export_results $options
puts "build.tcl: [file join [dict get $options out] vta.bit] is done"
