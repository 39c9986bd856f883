"""What pages are made of: parts, tables, pictures, forms, actions and their layout."""
