"""The parts of the advice page."""
