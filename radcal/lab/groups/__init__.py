"""Calibration that holds in every group of findings, not on average alone: partitions, methods, bound and figures."""
