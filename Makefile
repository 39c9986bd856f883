# make run: set up, then the main job.   make test: set up, then every check.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# A slow or faltering network is waited for.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --retries 10 --timeout 60

.PHONY: run test coverage lint bench papers mutants translations screenshots dist sbom lock clean

run: $(STAMP)
	@if [ "$$(uname)" = Linux ] && [ -z "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
	  echo "There is no display, so the main job runs without its window."; \
	  $(BIN)/radcal demo --out out/demo; \
	else \
	  $(BIN)/python main.py --sample; \
	fi

test: $(STAMP) lint
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m ui.system
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n auto --dist worksteal

# Whether the tests run through at least 95 % of radcal's lines; counting them takes as long again as the tests.
coverage: $(STAMP)
	$(BIN)/python -m pytest -n auto --cov=radcal --cov-report=term --ignore=tests/ui

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	@for f in benchmarks/bench_*.py; do echo "== $$f"; $(BIN)/python $$f || exit 1; done

# What the five papers show, on the data at hand, with the paper's figure beside ours; docs/papers.md has the list.
papers: $(STAMP)
	$(BIN)/python -m tools.papers

# Puts small faults into chosen modules and looks whether the tests notice 97 % of them.
mutants: $(STAMP)
	$(BIN)/python benchmarks/mutants.py

# Collects all texts into resources/locale/*/LC_MESSAGES/radcal.po, to be translated with an editor for gettext, and compiles them.
translations: $(STAMP)
	$(BIN)/python -m tools.translations

# Every page in every look, for the documentation; look at them.
screenshots: $(STAMP)
	$(BIN)/python -m ui.screenshots docs/screenshots

# A program for this machine's kind of system, in one folder, and a trial of it.
dist: $(STAMP)
	$(BIN)/pyinstaller --noconfirm --log-level WARN --distpath dist --workpath build/pyinstaller packaging/radcal.spec
	$(BIN)/python packaging/check.py dist/radcal

# The bill of materials of this installation, in CycloneDX.
sbom: $(STAMP)
	$(BIN)/python -m tools.sbom out/radcal.cdx.json

# With the extras of each package: pip takes a newer release for one that is pinned without them.
lock:
	uv pip compile pyproject.toml --extra test --universal --generate-hashes --python-version 3.11 --no-strip-extras \
	  --no-header --output-file requirements.lock

clean:
	rm -rf $(VENV) out dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage

# llama.cpp is compiled for this machine, without its part for images; that takes some minutes.
# For an NVIDIA GPU: CMAKE_ARGS="-DLLAVA_BUILD=OFF -DGGML_CUDA=on" make run
# An interrupted installation leaves no stamp and is taken up again.
$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "RadCal needs Python 3.11 or newer; set PYTHON=/path/to/python3."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	CMAKE_ARGS="$${CMAKE_ARGS:--DLLAVA_BUILD=OFF}" \
	  $(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-build-isolation --no-deps --editable .
	@touch $@
