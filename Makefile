PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: train confidence aliases demo test check format bench bench-harness bench-coverage bench-report bench-scale bench-ray picture report-pictures lock clean

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
	$(BIN)/python benchmarks/coverage_simulated.py
	$(BIN)/python benchmarks/coverage_human.py --data $(DATA)

bench-report: $(READY)
	$(BIN)/python benchmarks/report.py

bench-scale: $(READY)
	$(BIN)/python benchmarks/million.py

bench-ray: $(READY)
	$(BIN)/python benchmarks/on_ray.py

report-pictures: $(READY)
	$(BIN)/python benchmarks/report_pictures.py --data $(DATA)

# Two cores need about an hour and a half; stopped, it goes on from its last checkpoint. WORK lies outside the repository.
# A try of the whole way in minutes: make train DATA=../shared/data WORK=../try OPTIONS='--part 0.01' WEIGHTS=../try/weights
WORK ?= ../karat-training
WEIGHTS ?= src/karat/models/embedded/weights
TRAIN := PYTHONPATH=. $(WORK)/venv/bin/python -m

train: $(READY)
	test -n "$(DATA)" || { echo "say where the human-judged answers are: make train DATA=../shared/data"; exit 2; }
	$(PYTHON) -m venv $(WORK)/venv
	$(WORK)/venv/bin/python -m pip install --quiet --disable-pip-version-check -r training/requirements.txt -e .
	test -e $(WORK)/base/vocab.txt || $(TRAIN) training.base --folder $(WORK)/base
	$(TRAIN) training.prepare --data $(DATA) --vocabulary $(WORK)/base/vocab.txt --work $(WORK)
	$(TRAIN) training.train --work $(WORK) --base $(WORK)/base/model.safetensors $(OPTIONS)
	$(TRAIN) training.trees --work $(WORK)
	$(TRAIN) training.calibrate --work $(WORK)
	$(TRAIN) training.export --folder $(WORK)/final --vocabulary $(WORK)/base/vocab.txt --target $(WEIGHTS)/judge.onnx
	$(TRAIN) training.glance --work $(WORK) --card $(WEIGHTS)/card.json
	$(TRAIN) training.familiar --work $(WORK) --card $(WEIGHTS)/card.json
	$(TRAIN) training.talk --data $(DATA) --target $(WEIGHTS)/talk.json
	$(BIN)/python benchmarks/judges.py --data $(DATA) --split dev

# After new weights or rules: from where on the first look may skip the network, and how sure verdicts are.
confidence: $(READY)
	test -n "$(DATA)" || { echo "say where the labelled answers are: make confidence DATA=../shared/data"; exit 2; }
	$(BIN)/python -m training.first_look --data $(DATA) --write
	$(BIN)/python -m training.confidence --data $(DATA) --plot docs/risk-coverage.svg --write

aliases: $(READY)
	$(BIN)/python -m training.aliases --target src/karat/models/embedded/weights/aliases.txt

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
