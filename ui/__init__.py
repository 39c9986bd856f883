"""The desktop app: talks to radcal.workflow and draws records."""
