"""Identifiers of people taken out of report texts: names, dates, numbers, addresses, ages over 89."""
