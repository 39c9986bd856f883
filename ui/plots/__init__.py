"""One module per picture: each draws a record and computes nothing."""
