"""Language models through llama.cpp, in a child process whose crash leaves the application running."""
