"""The trainer of the bundled model: its text generator, tokenizer, training, export, evaluation and card."""
