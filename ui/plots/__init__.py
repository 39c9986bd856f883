"""One module per plot, on a common base: each draws a record and computes nothing."""
