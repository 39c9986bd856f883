"""Fictitious departments for trying RadCal: a small one that ships, and a generator for larger ones."""

from radcal.sample.department import SampleTruth, generate, generate_shipped, sample_folder

__all__ = ["SampleTruth", "generate", "generate_shipped", "sample_folder"]
