"""RadCal for programs: reports, pairs, findings, observations, reliability and advice as DataFrames of pandas.

``import radcal`` has all its names.  Nothing here needs the window, a workspace or the network.  Errors are those of
the command line, with arguments in place of options; rows that cannot be used are listed in results, and told of in a
LeftOut warning.

given        what functions take: settings by name, observations
lexicon      what words mean
reports      from files to observations
reliability  reliability, advice and the model of a department
measures     the published measures, of all rows together
"""
