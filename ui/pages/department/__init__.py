"""The Department page: radiologists, groups and habits compared."""
