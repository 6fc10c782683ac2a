"""The fleet on one machine: broker, processes, samples."""
