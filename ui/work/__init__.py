"""What the pages run in the worker: plain functions from a department to records, without Qt."""
