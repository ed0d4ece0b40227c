"""The attack: long runs over damaged input, each a module with `main(count, seed)`; none of them is a test."""
