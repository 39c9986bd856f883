"""Extraction by a language model on a server of the hospital, which speaks the protocol of OpenAI's chat"""
