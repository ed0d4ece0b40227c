"""Reading the options: validation, the environment's overrides, places in the configuration, the schema for editors."""
