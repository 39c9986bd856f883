"""What a report recommends: follow-up, further imaging or work-up, clinical correlation."""
