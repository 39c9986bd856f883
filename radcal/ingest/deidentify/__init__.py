"""Identifiers of people taken out of report texts: names, dates, numbers, addresses, ages over 89."""

from radcal.ingest.deidentify.deidentifier import Deidentifier

__all__ = ["Deidentifier"]
