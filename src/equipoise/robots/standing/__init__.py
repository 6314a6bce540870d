"""From a robot file to a robot that stands: soles, a stand with bent legs, motors."""
