"""The family of those who check answers: claims, rules, reviewers."""
