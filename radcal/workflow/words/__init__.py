"""The department's words: edited, surveyed, and looked for in its reports."""
