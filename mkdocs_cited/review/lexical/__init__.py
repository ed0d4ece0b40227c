"""The reviewer that needs no model and no network: what a claim says, laid over what its passage says."""
