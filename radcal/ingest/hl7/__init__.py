"""HL7 v2 results (ORU^R01) and documents (MDM^T02) to rows; runs in the child process that parses foreign files.

framing   the messages of a file: MLLP, batches, line ends, encodings
escapes   escape sequences of text;  fields  parts of fields, names, times
documents documents as results
report    the reports of one message;  texts  the text of a report from its observations
"""

from radcal.ingest.hl7.reading import raw, rows

__all__ = ["raw", "rows"]
