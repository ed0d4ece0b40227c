"""What is asked of an aligned claim, in families; each question yields the pieces that answer it badly."""
