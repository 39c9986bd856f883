"""The chance that the rules have read a finding right: what it goes by, its files, and the fit."""
