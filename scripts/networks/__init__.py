# SPDX-License-Identifier: Apache-2.0
"""The networks of configs/networks, one short script for each family. See scripts/generate_networks.py."""
