"""Findings in the codes and formats of other systems: SNOMED CT, FHIR Observations, DICOM structured reports."""
