"""One module per page, named after the pipeline stages."""
