"""What builds parts of RadCal and does not ship."""
