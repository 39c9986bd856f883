"""One module per page, named like the stages of the pipeline."""
