"""What a report recommends: follow-up, further imaging or work-up, clinical correlation.

words    the files ``recommendations.tsv`` of resources/lexicon: what their kinds mean, read and checked
finder   the rules by which words of advice and what they ask for make a recommendation
times    stated intervals: "in 3 months", "6-8 wks"
"""

from radcal.extract.recommendations.finder import Finder, shipped_finder

__all__ = ["Finder", "shipped_finder"]
