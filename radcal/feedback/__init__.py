"""What is handed out: feedback pages, cards, macros, personal files, and the answers that come back."""
