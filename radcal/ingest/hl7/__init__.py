"""HL7 v2 result messages (ORU^R01) to rows; runs in the child process that parses foreign files.

framing   the messages of a file: MLLP, batches, line ends, encodings
escapes   escape sequences of text;  fields  parts of fields, names, times
report    the reports of one message;  texts  the text of a report from its observations
"""

from radcal.ingest.hl7.reading import raw, rows

__all__ = ["raw", "rows"]
