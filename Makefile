# Every target does its own setup. `make` lists the targets.

PYTHON ?= python3
# The extras to install.
EXTRAS ?= train,eval,render,web,dev
# Tested versions; `make setup LOCK=` takes the newest that pyproject.toml allows.
LOCK ?= requirements.lock
# The torch requirement. If the package index serves CUDA builds (several GB) and you need a CPU
# build, name an index that has one: `make setup TORCH_INDEX=https://...`
TORCH ?= $(or $(if $(LOCK),$(shell grep '^torch==' $(LOCK))),torch)
TORCH_INDEX ?=

# The Pythons of `make test-pythons`; missing ones are reported and skipped.
PYTHONS ?= python3.11 python3.12 python3.13

BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
STAMP := .venv/.setup-$(EXTRAS)
# Tools for dependencies and releases, in a separate environment.
TOOLS := .tools/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
TOOLS_NEEDED := 'build>=1.2' 'uv>=0.9' 'pip-licenses>=5' 'cyclonedx-bom>=7' 'pip-audit>=2.9'
# Clients with a separate environment, each in .clients/NAME, with its own lock.
CLIENTS ?= $(patsubst tests/clients/%/requirements.lock,%,$(wildcard tests/clients/*/requirements.lock))
PIP := $(BIN)/python -m pip --disable-pip-version-check install $(if $(LOCK),-c $(LOCK))

.PHONY: help setup demo test test-learning test-strength test-clients test-pythons test-kills dist-test test-lowest fuzz lint coverage format cases \
  bench docs site pictures vendor api lock lock-clients hashes licenses sbom audit clean

help:
	@echo "make setup    install everything into .venv (the other targets do this too)"
	@echo "make demo     train a small agent and evaluate it against bots: runs/demo"
	@echo "make test     run the tests; ARGS=... is passed to pytest (-n 0: without workers)"
	@echo "make test-learning   train the examples of README and docs, measure bots: takes minutes"
	@echo "make test-strength   train the demo with three seeds, measure reviews: takes longer"
	@echo "make test-clients   test the environments with other libraries; CLIENTS='rllib torchrl' selects some"
	@echo "make test-pythons   run the golden tests on every installed Python from 3.11 to 3.13"
	@echo "make test-kills   kill commands at random ten times each and resume them; KILLS='train tune'"
	@echo "make dist-test   build sdist and wheel, test them in clean environments of these Pythons"
	@echo "make test-lowest   run tests with the lowest versions that pyproject.toml allows"
	@echo "make fuzz     random games under random rules, every position checked; ARGS='--minutes 60'"
	@echo "make lint     check style, types and import layers"
	@echo "make coverage coverage of the rules by the tests, with the JIT off"
	@echo "make format   sort imports and format the code"
	@echo "make cases CASES=folder   run rule cases"
	@echo "make bench    measure speed on this machine"
	@echo "make docs     regenerate the generated pages of docs/"
	@echo "make site     build the documentation and check its links: build/site/index.html"
	@echo "make pictures   redraw the pictures of README and docs: docs/pictures"
	@echo "make vendor   fetch the JavaScript libraries again; needs npm"
	@echo "make api      rewrite the snapshot of the public API: tests/golden/api"
	@echo "make lock     write requirements.lock from the installed packages, and the files derived from it"
	@echo "make lock-clients CLIENTS=rllib   write the lock of a client with the newest versions"
	@echo "make sbom     write dist/sbom.cdx.json, a bill of materials (CycloneDX)"
	@echo "make audit    check the dependencies for known vulnerabilities; needs PyPI's JSON API, or AUDIT='-s osv'"
	@echo "make clean    remove caches and builds; .venv and runs/ stay"

setup: $(STAMP)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "monopoly-env needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1): try 'make setup PYTHON=python3.12'"; exit 1; }
	$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }

# Install torch first, so that no other package selects a different build.
$(STAMP): pyproject.toml setup.py $(LOCK) | $(BIN)/python
	$(PIP) $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) '$(TORCH)'
	$(PIP) -e '.[$(EXTRAS)]'
	@touch '$@'

demo: setup
	$(BIN)/monopoly-env demo

# Bounds checks: an index out of range in a game record would silently overwrite the next field.
# Folders are distributed to one worker per core; `ARGS="-n 0"` uses no workers.
test: setup
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -n auto --dist worksteal $(ARGS)

# One process, because it times training, and torch has its own threads.
test-learning: setup
	$(BIN)/pytest -m learning $(ARGS)

# What takes too long for CI: the demo with three seeds, a hundred planted blunders.
test-strength: setup
	$(BIN)/pytest -m strength $(ARGS)

# Each client runs in its own environment, without tests/conftest.py, including slow tests
# (`ARGS="-m 'not learning'"` skips them). A failure does not stop the other clients.
CLIENT_PIP = .clients/$(1)/bin/python -m pip --disable-pip-version-check install -q
# A client that needs torch names it in requirements.in, so that its build is chosen first.
CLIENT_TORCH = $(if $(shell grep -x torch tests/clients/$(1)/requirements.in),$(or $(shell grep '^torch==' tests/clients/$(1)/requirements.lock),$(TORCH)))
test-clients: $(CLIENTS:%=.clients/%/.setup)
	@failed=; for client in $(CLIENTS); do \
	  echo "$$client:"; \
	  OMP_NUM_THREADS=1 .clients/$$client/bin/python -m pytest --confcutdir=tests/clients -m '' \
	    tests/clients/$$client $(ARGS) || failed="$$failed $$client"; \
	done; test -z "$$failed" || { echo "failed:$$failed"; exit 1; }

.clients/%/.setup: pyproject.toml setup.py tests/clients/%/requirements.in tests/clients/%/requirements.lock
	$(PYTHON) -m venv .clients/$*
	$(if $(call CLIENT_TORCH,$*),$(call CLIENT_PIP,$*) $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) '$(call CLIENT_TORCH,$*)')
	$(call CLIENT_PIP,$*) -c tests/clients/$*/requirements.lock -r tests/clients/$*/requirements.in
	$(if $(wildcard tests/clients/$*/no-deps.in),$(call CLIENT_PIP,$*) --no-deps -r tests/clients/$*/no-deps.in)
	@touch '$@'

# Each Python has its own environment with only the core dependencies.
test-pythons:
	$(PYTHON) tests/golden/pythons.py $(PYTHONS)

test-kills: setup
	$(BIN)/python -m tests.training.kills $(KILLS) $(ARGS)

# Tests the release files as a user gets them: without a checkout, with only the core packages.
dist-test: .tools/.setup
	$(TOOLS)/python -m tests.release.dist $(PYTHONS)

test-lowest: .tools/.setup
	TORCH_INDEX='$(TORCH_INDEX)' $(TOOLS)/python -m tests.release.lowest $(ARGS)

fuzz: setup
	$(BIN)/monopoly-env fuzz $(ARGS)

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# Runs the rules as plain Python, so that coverage sees them.
coverage: setup
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -q tests/rulebook/test_cases.py tests/cases \
	  $(filter-out %_fuzz.py %_landing.py,$(wildcard tests/engine/test_*.py)) tests/golden
	$(BIN)/coverage report --include='monopoly_env/engine/*' --skip-covered -m

format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

cases: setup
	@test -n '$(CASES)' || { echo "name a folder or file with rule cases: 'make cases CASES=tests/rulebook'"; exit 1; }
	$(BIN)/monopoly-env cases $(CASES)

bench: setup
	$(BIN)/monopoly-env bench

# The pictures are identical on every machine.
pictures: setup
	$(BIN)/python -m monopoly_training.reference.pictures

# Always a full build, so that no link leads to an old page.
SITE := .venv-docs/$(if $(filter Windows_NT,$(OS)),Scripts,bin)/python
.venv-docs/.setup: pyproject.toml setup.py $(LOCK) | .tools/.setup
	$(TOOLS)/uv venv -q --clear --python $(PYTHON) .venv-docs
	$(TOOLS)/uv pip install -q --python $(SITE) $(if $(LOCK),-c $(LOCK)) -e '.[docs]'
	@touch '$@'

site: .venv-docs/.setup
	@rm -rf build/site
	$(SITE) -m sphinx -E -q -W --keep-going -b html -d .venv-docs/doctrees docs build/site
	$(SITE) -m tests.release.site_links build/site

docs: setup
	$(BIN)/monopoly-env docs

# Differences are changes of the public API: see tests/golden/test_api.py.
api: setup
	$(BIN)/python -m tests.golden.api --write

# For newer versions: remove .venv, then `make lock LOCK=`. Local build tags such as +cpu are cut
# off, because other machines have different builds of the same version.
lock:
	@$(MAKE) setup EXTRAS=all
	@{ sed -n '/^#/p' requirements.lock; $(BIN)/python -m pip --disable-pip-version-check freeze \
	  --exclude-editable --exclude monopoly-env | sed '/^#/d;s/+[A-Za-z0-9.]*$$//'; } > .lock.tmp
	@if grep '@' .lock.tmp; then echo "the line above names a file or an address: install that package from an index"; exit 1; fi
	@mv .lock.tmp requirements.lock
	@$(MAKE) hashes licenses

# torch has the version of requirements.lock.
lock-clients:
	@for client in $(CLIENTS); do \
	  lock=tests/clients/$$client/requirements.lock; \
	  rm -rf .clients/$$client && : > $$lock && $(MAKE) .clients/$$client/.setup || exit 1; \
	  { echo "# What the tests of this folder ran with (\`make lock-clients CLIENTS=$$client\` writes this)."; \
	    .clients/$$client/bin/python -m pip --disable-pip-version-check freeze --exclude-editable \
	    --exclude monopoly-env | sed '/^#/d;s/+[A-Za-z0-9.]*$$//'; } > .lock.tmp && mv .lock.tmp $$lock || exit 1; \
	  touch .clients/$$client/.setup; \
	done

# The JavaScript libraries of the browser pages, from npm: `make vendor` fetches these versions.
VENDOR := training/monopoly_training/web/page/vendor
NPM := preact@11.2.0 htm@3.1.1 uplot@1.6.32
vendor:
	@rm -rf .vendor.tmp && mkdir .vendor.tmp && npm install --silent --ignore-scripts --prefix .vendor.tmp $(NPM)
	@cd .vendor.tmp/node_modules && cp preact/dist/preact.mjs preact/hooks/dist/hooks.mjs htm/dist/htm.mjs \
	  uplot/dist/uPlot.iife.min.js uplot/dist/uPlot.min.css ../../$(VENDOR)
	@rm -rf .vendor.tmp && git diff --stat -- $(VENDOR)

.tools/.setup: Makefile
	$(PYTHON) -m venv .tools
	$(TOOLS)/python -m pip --disable-pip-version-check install -q $(TOOLS_NEEDED)
	@touch '$@'

# The same versions with the hashes of their files on PyPI, for `pip install --require-hashes`.
# torch has a separate file: a CPU build comes from another index, with a different hash.
UV_COMPILE := $(TOOLS)/uv pip compile -q --generate-hashes --no-annotate --no-header \
  --python-version 3.11
hashes: .tools/.setup
	@{ echo '# Every package of requirements.lock but torch, with the hashes of its files on PyPI'; \
	  echo '# (`make hashes` writes this): pip install --require-hashes --no-deps -r $@.txt' \
	  | sed 's/hashes.txt/requirements.hashes.txt/'; \
	  $(UV_COMPILE) --no-deps --no-emit-package torch requirements.lock; } > .lock.tmp
	@mv .lock.tmp requirements.hashes.txt
	@{ echo '# torch as PyPI has it (a CUDA build on Linux) and what it needs, with hashes'; \
	  echo '# (`make hashes` writes this).'; \
	  grep '^torch==' requirements.lock | $(UV_COMPILE) --universal -c requirements.lock -; } > .lock.tmp
	@mv .lock.tmp requirements.torch.txt

# resvg_py has its MIT license only as a file, not in its metadata.
licenses: .tools/.setup setup
	@{ echo '# Licenses of the dependencies'; echo; \
	  echo '`make licenses` writes this page from the metadata of the packages of `requirements.lock`.'; \
	  echo 'monopoly-env itself is under the Apache License 2.0.'; echo; \
	  $(TOOLS)/pip-licenses --python $(BIN)/python --from=mixed --format=markdown --with-urls --with-system \
	    --packages $$(sed '/^#/d;s/==.*//' requirements.lock) | sed 's/  */ /g;s/----*/---/g;s/+[a-z0-9.]* / /;/^| resvg_py /s/UNKNOWN/MIT/' | uniq; \
	  echo; cat $(VENDOR)/README.md; } > .lock.tmp
	@mv .lock.tmp docs/licenses.md

sbom: .tools/.setup setup
	@mkdir -p dist
	$(TOOLS)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
	  --of JSON -o dist/sbom.cdx.json $(BIN)/python

# --strict: a package that cannot be looked up fails.
# AUDIT: options of pip-audit, such as another source of advisories: AUDIT='-s osv --osv-url URL'
AUDIT ?=

audit: .tools/.setup
	@$(TOOLS)/pip-audit $(AUDIT) --strict --disable-pip --require-hashes \
	  -r requirements.hashes.txt -r requirements.torch.txt || { echo 'make audit: the line above names' \
	  'a vulnerable package, or one that could not be looked up; this needs' \
	  'https://pypi.org/pypi/NAME/VERSION/json, or AUDIT="-s osv" https://api.osv.dev,' \
	  'or AUDIT="-s osv --osv-url URL" a mirror of it' >&2; exit 1; }

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage htmlcov
	find monopoly_env agents training configs tests -name __pycache__ -type d -exec rm -rf {} +
