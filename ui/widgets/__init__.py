"""What pages are made of: tables, cards, layouts, messages, the PDF view."""
