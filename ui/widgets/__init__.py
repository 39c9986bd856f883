"""Building blocks of pages: tables, cards, layouts, messages, the PDF view."""
