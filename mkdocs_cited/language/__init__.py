"""Words, sentences, typed values and negation, for each language that has data here."""
