"""Reports that come in by themselves: files that a system drops into a folder, and messages sent over the network."""
