"""What all rooms stand on: files, exports, processes, settings, policy, faults, texts, resources."""
