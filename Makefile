PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: demo test check format bench bench-harness bench-coverage bench-report bench-scale picture lock clean

demo: $(READY)
	$(BIN)/karat grade examples/answers.jsonl -o demo-verdicts.csv
	$(BIN)/karat report -o demo-report.html

test: $(READY) check
	$(BIN)/pytest

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	$(BIN)/python benchmarks/startup.py

bench-harness: $(READY)
	$(BIN)/python benchmarks/harness.py --data $(DATA)

bench-coverage: $(READY)
	$(BIN)/python benchmarks/coverage.py
	$(BIN)/python benchmarks/coverage_human.py --data $(DATA)

bench-report: $(READY)
	$(BIN)/python benchmarks/report.py

bench-scale: $(READY)
	$(BIN)/python benchmarks/million.py

picture: $(READY)
	$(BIN)/python benchmarks/picture.py

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("karat needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

lock:
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --all-extras --group dev pyproject.toml -o requirements.lock

clean:
	rm -rf .venv .karat .cache
