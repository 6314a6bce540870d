"""Wires between processes: datagrams and CAN, with a key of the run."""
