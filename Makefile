# make run: set up what running needs, then the main job.   make test: set up everything, then every check.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.run-installed
STAMP := $(VENV)/.installed
# For the program that is started: make run ARGS=--exit-after-first-paint
ARGS ?=

# What is handed out is built in an environment of its own, because that of this machine has a llama.cpp for its processor.
DIST := build/dist-venv
DIST_BIN := $(DIST)/bin
DIST_STAMP := $(DIST)/.installed
DIST_PIP := $(DIST_BIN)/pip install --quiet --disable-pip-version-check --retries 10 --timeout 60

.PHONY: run test test-slow pytest coverage lint bench papers docs mutants tagger translations screenshots dist deb portable sbom lock clean

# llama.cpp is compiled beside what is started, if it is not there yet.
run: $(RUN_STAMP)
	@if [ "$$(uname)" = Linux ] && [ -z "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
	  echo "There is no display, so the main job runs without its window."; \
	  $(BIN)/python -m tools.setup beside $(BIN)/radcal demo --out out/demo $(ARGS); \
	else \
	  $(BIN)/python -m tools.setup beside $(BIN)/python main.py --sample $(ARGS); \
	fi

# The checks of the sources, which use one processor, run beside the tests.
test: $(STAMP)
	@$(MAKE) --no-print-directory -j 2 lint pytest

pytest: $(STAMP)
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m ui.system
	@# Program and tests are compiled once, whatever the environment says, and not anew by each process.
	PYTHONDONTWRITEBYTECODE= QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

# What takes over two seconds: whole chains, simulations, crashing children, kill trials.
test-slow: $(STAMP)
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n auto --dist worksteal -m slow

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

# The documentation as a site that needs no network, its notebooks run anew: out/site/index.html.
docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -f docs/site/mkdocs.yml --strict --quiet

# Trains the tagger that finds names, places and numbers in texts, on the marked texts of benchmarks/identifiers.
tagger: $(STAMP)
	PYTHONPATH=. $(BIN)/python benchmarks/train_tagger.py

# Puts small faults into chosen modules and looks whether the tests notice 97 % of them.
mutants: $(STAMP)
	$(BIN)/python benchmarks/mutants.py

# Collects all texts into resources/locale/*/LC_MESSAGES/radcal.po, to be translated with an editor for gettext, and compiles them.
translations: $(STAMP)
	$(BIN)/python -m tools.translations

# Every page in every look, for the documentation; look at them.
screenshots: $(STAMP)
	$(BIN)/python -m tools.screenshots docs/screenshots

# A program in one folder, for every machine of this kind of system; a proof of that, and a trial of it.
dist: $(DIST_STAMP)
	PYTHONHASHSEED=1 $(DIST_BIN)/pyinstaller --noconfirm --log-level WARN --distpath dist --workpath build/pyinstaller packaging/radcal.spec
	$(DIST_BIN)/python -m tools.shipping.instructions dist/radcal
	$(DIST_BIN)/python packaging/check.py dist/radcal

# The same as a package for Debian and Ubuntu.
deb: dist
	$(DIST_BIN)/python -m tools.shipping.deb dist/radcal dist
	$(DIST_BIN)/python -m tools.shipping.checksums dist

# The same as an archive that is unpacked anywhere and needs no administrator, and a trial of that.
portable: dist
	$(DIST_BIN)/python -m tools.shipping.folder dist/radcal dist
	$(DIST_BIN)/python packaging/check_portable.py dist
	$(DIST_BIN)/python -m tools.shipping.checksums dist

# The bill of materials of this installation, in CycloneDX.
sbom: $(STAMP)
	$(BIN)/python -m tools.sbom out/radcal.cdx.json

# With the extras of each package: pip takes a newer release for one that is pinned without them. What running needs is a
# part of the rest, without what llama-cpp-python names and RadCal never loads.
LOCK := uv pip compile pyproject.toml --universal --generate-hashes --python-version 3.11 --no-strip-extras --no-header
lock:
	$(LOCK) --extra test --extra docs --output-file requirements.lock
	$(LOCK) --constraint requirements.lock --no-emit-package diskcache --output-file requirements-run.lock

clean:
	rm -rf $(VENV) out dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage

NEW_ENOUGH := $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "RadCal needs Python 3.11 or newer; set PYTHON=/path/to/python3."; exit 1; }

# An interrupted installation leaves no stamp and is taken up again.
$(RUN_STAMP): requirements-run.lock pyproject.toml
	@$(NEW_ENOUGH)
	@$(PYTHON) -m tools.setup run $(VENV)
	@touch $@

# With llama.cpp, compiled for this machine.
# For an NVIDIA GPU: CMAKE_ARGS="-DLLAVA_BUILD=OFF -DGGML_CUDA=on" make run
$(STAMP): requirements.lock requirements-run.lock pyproject.toml
	@$(NEW_ENOUGH)
	@$(PYTHON) -m tools.setup all $(VENV)
	@touch $@ $(RUN_STAMP)

# llama.cpp is compiled for all processors, which takes up to an hour, once; the rest is what is pinned.
# For a GPU, too: CMAKE_ARGS="-DGGML_VULKAN=on" make dist
$(DIST_STAMP): requirements.lock pyproject.toml tools/shipping/llama_wheel.py
	$(PYTHON) -m venv $(DIST)
	$(DIST_BIN)/python -m tools.shipping.llama_wheel build/llama-wheels
	$(DIST_PIP) --require-hashes -r requirements.lock
	$(DIST_PIP) --no-build-isolation --no-deps --editable .
	@touch $@
