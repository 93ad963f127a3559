# The commands of the project. Each makes what it needs first; none needs more than Python 3.11+.

VENV ?= .venv
PY := $(VENV)/bin/python
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2
ARGS ?=

.PHONY: help up test thorough lint format bench migrate lock venv dev-venv clean

help:  ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

up: $(VENV)/.installed  ## Start everything and print the address
	@exec $(PY) manage.py up --host $(HOST) --port $(PORT) --workers $(WORKERS) $(ARGS)

test: $(VENV)/.installed-dev  ## Run the whole test suite
	@exec $(PY) -m pytest $(ARGS)

thorough: $(VENV)/.installed-dev  ## Run the tests over tens of thousands of hands, which `test` leaves out
	@exec $(PY) -m pytest -m thorough $(ARGS)

lint: $(VENV)/.installed-dev  ## Check style, types, imports, migrations and the OpenAPI description
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PY) -W ignore manage.py makemigrations --check --dry-run
	$(PY) -m pytest -q -p no:cacheprovider tests/api/test_openapi_snapshot.py

format: $(VENV)/.installed-dev  ## Rewrite the code in the project's format
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

bench: $(VENV)/.installed-dev  ## Measure against raw limits and peers
	@exec $(PY) -m tests.benchmarks $(ARGS)

migrate: $(VENV)/.installed  ## Bring the tables of PAIPU_DATABASE_URL up to date
	$(PY) manage.py migrate

lock: $(VENV)/.installed-dev  ## Resolve pyproject.toml anew into the three lock files
	$(VENV)/bin/uv pip compile pyproject.toml --universal --python-version 3.11 \
		--generate-hashes --no-header -o requirements.lock
	$(VENV)/bin/uv pip compile pyproject.toml --universal --python-version 3.11 --extra dev \
		-c requirements.lock --generate-hashes --no-header -o requirements-dev.lock
	echo uv | $(VENV)/bin/uv pip compile - --universal --python-version 3.11 \
		--generate-hashes --no-header --no-annotate -o docker/installer.lock

venv: $(VENV)/.installed  ## Make the virtual environment with what running needs

dev-venv: $(VENV)/.installed-dev  ## Make it with what developing needs

clean:  ## Remove the virtual environment and caches, but no data
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis htmlcov .coverage

$(VENV)/.installed: requirements.lock docker/install.sh docker/installer.lock
	@docker/install.sh $(VENV) requirements.lock
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock docker/install.sh docker/installer.lock
	@docker/install.sh $(VENV) requirements-dev.lock
	@touch $(VENV)/.installed $@
