"""The parts of the Review page: what is drawn, the report as it is read, the figures, the readers compared."""
