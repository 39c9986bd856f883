"""Extraction by a language model on a server of the hospital, which speaks the protocol of OpenAI's chat completions.

address       the one server: which addresses are allowed, and what they resolve to
certificates  whom it must be certified by
client        requests and bounded answers: the one module that imports httpx
asking        what is asked, in the form that the server keeps to, and what of its answers is of use
retrying      which answers are asked for again, and when
answers       answers checked against the report
dispatch      many reports at once, each within its budget, in their order
trial         what a server is and can, found out without a report
engine        the Extractor;  options  its options
"""
