"""Report files to reports, sentences and pairs.

readers    files -> Import: reports, rejected rows, attrition, notes
documents  a table of ids and texts -> Documents, for extraction alone
sections   a report's text -> Document: sections and sentences with their spans
formats    the formats of files, one module each;  parsing  foreign bytes -> tables, in a child process
pairing    reports -> Pairing: each chest X-ray with the chest CT that followed
"""
