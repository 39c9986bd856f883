"""Findings in the codes and formats of other systems: SNOMED CT, FHIR Observations, DICOM structured reports."""

from radcal.coding.codes import Code, CodedFinding, coded

__all__ = ["Code", "CodedFinding", "coded"]
