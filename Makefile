# Two commands for a machine with Python and nothing else of ours: `make site` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: site serve test lint reference wheel fuzz properties audit clean

site: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict -f example_site/mkdocs.yml

serve: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve -f example_site/mkdocs.yml

# Browser tests take the system's Chromium, or Playwright's own, which is fetched here where the network allows it.
test: $(STAMP)
	@$(BIN)/python -m tests.servers.browsers
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

reference: $(STAMP)
	$(BIN)/python -m tests.docs.generated

# The wheel, installed next to nothing else, on a new site.
wheel: $(STAMP)
	$(BIN)/python -m tests.wheel

# The attack: FUZZ="--count 1000000", "--seconds 3600", "--only records"; see CONTRIBUTING.md.
FUZZ ?= --count 100000
fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz $(FUZZ)

# What holds for any text, tried with thirty times as many texts as the suite takes.
properties: $(STAMP)
	$(BIN)/python -m pytest -m hypothesis --hypothesis-profile thorough -n auto --dist worksteal

# Known holes and licences of what is installed. Without a network, or where no registry tells, it says so and passes.
audit: $(STAMP)
	$(BIN)/python -m tests.dependencies

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[anthropic,dev,web]"
	touch $@

clean:
	rm -rf $(VENV) .cache site example_site/site
