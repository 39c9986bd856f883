"""Reports to findings: the rules engine, the evaluation against annotated reports, what enters the statistics."""
