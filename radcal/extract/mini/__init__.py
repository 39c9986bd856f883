"""The bundled Llama: its text generator, tokenizer, training, export, evaluation, and the protocol it speaks."""
