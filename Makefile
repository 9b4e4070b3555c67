PYTHON ?= python3
BIN := .venv/bin
RUN := .venv/.run# what karat needs at run time
TEST := .venv/.test# and what its tests and benchmarks need
TOOLS := $(CURDIR)/.cache/tools# packaging tools, outside of the environment that karat runs in
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
SELECT ?= -m "not slow"

.PHONY: demo test test-slow check format dist store-fixture lock clean train train-entail train-answers train-figures train-venv confidence aliases bench bench-harness bench-coverage bench-report bench-scale bench-formats bench-ray picture report-pictures help-pages

demo: $(RUN)
	$(BIN)/karat grade examples/answers.jsonl -o demo-verdicts.csv
	$(BIN)/karat report -o demo-report.html

test: $(TEST)
	$(BIN)/pytest $(SELECT)

test-slow: $(TEST)
	$(BIN)/pytest -m slow

# The sdist and the wheel, in dist/.
dist: $(RUN) $(TOOLS)/.ready
	rm -rf dist
	PYTHONPATH=$(TOOLS) $(BIN)/python -m hatchling build -d dist

# At a release: a small store as this version writes it, which later versions must read.
store-fixture: $(TEST)
	$(BIN)/python tests/store/make_released.py

check: $(TEST)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright

format: $(TEST)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(TEST)
	$(BIN)/python benchmarks/startup.py

bench-harness: $(TEST)
	$(BIN)/python benchmarks/harness.py --data $(DATA)

bench-coverage: $(TEST)
	$(BIN)/python benchmarks/coverage_simulated.py
	$(BIN)/python benchmarks/coverage_human.py --data $(DATA)

bench-report: $(TEST)
	$(BIN)/python benchmarks/report.py

bench-scale: $(TEST)
	$(BIN)/python benchmarks/million.py

bench-formats: $(TEST)
	$(BIN)/python benchmarks/formats.py

bench-ray: $(TEST)
	$(BIN)/python benchmarks/on_ray.py

report-pictures: $(TEST)
	$(BIN)/python benchmarks/report_pictures.py --data $(DATA)

# Two cores need about an hour and a half; stopped, it goes on from its last checkpoint. WORK lies outside the repository.
# A try of the whole way in minutes: make train DATA=DIR WORK=../try OPTIONS='--part 0.01' WEIGHTS=../try/weights
WORK ?= ../karat-training
WEIGHTS ?= src/karat/embedded/weights
TRAIN := PYTHONPATH=. $(WORK)/venv/bin/python -m

train: train-venv
	$(TRAIN) training.prepare --data $(DATA) --vocabulary $(WORK)/base/vocab.txt --work $(WORK)
	$(TRAIN) training.train --work $(WORK) --base $(WORK)/base/model.safetensors $(OPTIONS)
	$(TRAIN) training.trees --work $(WORK)
	$(TRAIN) training.calibrate --work $(WORK)
	$(TRAIN) training.export --folder $(WORK)/final --vocabulary $(WORK)/base/vocab.txt --target $(WEIGHTS)/judge.onnx
	$(TRAIN) training.glance --work $(WORK) --card $(WEIGHTS)/card.json
	$(TRAIN) training.familiar --work $(WORK) --card $(WEIGHTS)/card.json
	$(TRAIN) training.talk --data $(DATA) --target $(WEIGHTS)/talk.json
	$(BIN)/python benchmarks/judges.py --data $(DATA) --split dev

train-venv: $(TEST)
	test -n "$(DATA)" || { echo "say where the human-judged answers are: make train DATA=DIR"; exit 2; }
	test -x $(WORK)/venv/bin/python || $(PYTHON) -m venv $(WORK)/venv
	$(WORK)/venv/bin/python -m pip install --quiet --disable-pip-version-check -r training/requirements.txt -e .
	test -e $(WORK)/base/vocab.txt || $(TRAIN) training.base --folder $(WORK)/base

# The second design, in stages that go on where they stopped: sentence pairs, then answers, then its figures beside the judge that ships.
# On a shared machine one thread is as fast as two. NEW is a folder of more written rows; SECOND names the run of the second stage.
SECOND ?= second
THREADS ?= 2
FIRST := OMP_WAIT_POLICY=passive OMP_NUM_THREADS=$(THREADS) $(TRAIN)

train-entail: train-venv
	$(FIRST) training.entail --data $(DATA)/nli --work $(WORK) --threads $(THREADS) $(OPTIONS)

train-answers: train-venv
	$(FIRST) training.lessons --data $(DATA) --work $(WORK) $(if $(NEW),--new $(NEW) --only new)
	$(FIRST) training.answers --work $(WORK) --name $(SECOND) --start $(WORK)/entail/reader.pt --threads $(THREADS) $(if $(NEW),--new) $(OPTIONS)

train-figures: train-venv
	$(TRAIN) training.second --work $(WORK) --shipped --runs $(SECOND)
	$(TRAIN) training.export_reader --work $(WORK) --run $(SECOND) --data $(DATA)

# After new weights or rules: from where on the first look may skip the network, and how sure verdicts are.
confidence: $(TEST)
	test -n "$(DATA)" || { echo "say where the labelled answers are: make confidence DATA=DIR"; exit 2; }
	$(BIN)/python -m training.first_look --data $(DATA) --write
	$(BIN)/python -m training.confidence --data $(DATA) --plot docs/pictures/risk-coverage.svg --write

aliases: $(TEST)
	$(BIN)/python -m training.aliases --target src/karat/embedded/weights/aliases.txt

picture: $(TEST)
	$(BIN)/python benchmarks/picture.py

# After a change of a help text, a format or the table of names: docs/reference/commands.md and formats.md.
help-pages: $(TEST)
	$(BIN)/python tests/help_page.py
	$(BIN)/python tests/formats_page.py

$(RUN): requirements/run.lock requirements/build.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("karat needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	$(PIP) install --require-hashes -r requirements/run.lock
	$(PIP) install --require-hashes -r requirements/build.lock --upgrade --target $(TOOLS)
	touch $(TOOLS)/.ready
	PYTHONPATH=$(TOOLS) $(PIP) install --no-deps --no-build-isolation --editable .
	touch $@

$(TOOLS)/.ready: | $(RUN)
	$(PIP) install --require-hashes -r requirements/build.lock --upgrade --target $(TOOLS)
	touch $@

$(TEST): $(RUN) requirements/test.lock
	$(PIP) install --require-hashes -r requirements/test.lock
	touch $@

LOCK := .cache/uv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

lock:
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --upgrade --target .cache/uv uv
	$(LOCK) pyproject.toml -o requirements/run.lock
	$(LOCK) --group build -o requirements/build.lock
	$(LOCK) pyproject.toml --all-extras --group test -c requirements/run.lock -c requirements/build.lock -o requirements/test.lock

clean:
	rm -rf .venv .karat .cache dist
