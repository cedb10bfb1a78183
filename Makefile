# Every target does its own set-up. `make` alone lists the targets.

PYTHON ?= python3
# The extras to install.
EXTRAS ?= train,eval,render,web,dev
# Versions known to work together; `make setup LOCK=` takes the newest that pyproject.toml allows.
LOCK ?= requirements.lock
# What to give pip for torch. Where the package index serves CUDA builds (several GB) and a CPU
# is all you have, name an index of CPU builds: `make setup TORCH_INDEX=https://...`
TORCH ?= $(or $(if $(LOCK),$(shell grep '^torch==' $(LOCK))),torch)
TORCH_INDEX ?=

# The Pythons of `make test-pythons`; those that are not there are named and left out.
PYTHONS ?= python3.11 python3.12 python3.13

BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
STAMP := .venv/.setup-$(EXTRAS)
# What looks after the dependencies and is none itself: in an environment of its own.
TOOLS := .tools/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
TOOLS_NEEDED := 'build>=1.2' 'uv>=0.9' 'pip-licenses>=5' 'cyclonedx-bom>=7' 'pip-audit>=2.9'
# The clients that need an environment of their own, each in .clients/NAME, with its own lock.
CLIENTS ?= $(patsubst tests/clients/%/requirements.lock,%,$(wildcard tests/clients/*/requirements.lock))
PIP := $(BIN)/python -m pip --disable-pip-version-check install $(if $(LOCK),-c $(LOCK))

.PHONY: help setup demo test test-learning test-clients test-pythons test-kills dist-test test-lowest fuzz lint coverage format cases \
  bench docs site pictures vendor api lock lock-clients hashes licenses sbom audit clean

help:
	@echo "make setup    install everything into .venv (the other targets do it by themselves)"
	@echo "make demo     train a small agent, play it against bots, show the table: runs/demo"
	@echo "make test     run the tests; ARGS=... goes to pytest (-n 0: without workers)"
	@echo "make test-learning   train the examples of README and docs, measure bots: some minutes"
	@echo "make test-clients   run other libraries on the environments; CLIENTS='rllib torchrl' runs some"
	@echo "make test-pythons   run the golden tests on every Python of 3.11 to 3.13 that is there"
	@echo "make test-kills   kill commands by SIGKILL at random, ten times each, and go on; KILLS='train tune'"
	@echo "make dist-test   build sdist and wheel, try them in clean environments of those Pythons"
	@echo "make test-lowest   run tests with the lowest versions that pyproject.toml allows"
	@echo "make fuzz     random play under random rules, every position checked; ARGS='--minutes 60'"
	@echo "make lint     check style, types and the direction of imports"
	@echo "make coverage lines of the rules that the tests reach, with the JIT off"
	@echo "make format   sort imports and format the code"
	@echo "make cases CASES=folder   run rule cases"
	@echo "make bench    measure speed on this machine"
	@echo "make docs     write the generated pages of docs/ again"
	@echo "make site     build the documentation as a site, and check its links: build/site/index.html"
	@echo "make pictures   draw the pictures of README and docs again: docs/pictures"
	@echo "make vendor   fetch the libraries of the pages in a browser again; needs npm"
	@echo "make api      write the snapshot of the public API again: tests/golden/api"
	@echo "make lock     write requirements.lock from what is installed, and what follows from it"
	@echo "make lock-clients CLIENTS=rllib   write the lock of a client from the newest versions"
	@echo "make sbom     write dist/sbom.cdx.json, a bill of materials (CycloneDX)"
	@echo "make audit    look up known vulnerabilities of the dependencies; needs PyPI's JSON, or AUDIT='-s osv'"
	@echo "make clean    remove caches and builds; .venv and runs/ stay"

setup: $(STAMP)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "monopoly-env needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1): try 'make setup PYTHON=python3.12'"; exit 1; }
	$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }

# torch goes first, by itself, so that nothing that needs it chooses a build.
$(STAMP): pyproject.toml setup.py $(LOCK) | $(BIN)/python
	$(PIP) $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) '$(TORCH)'
	$(PIP) -e '.[$(EXTRAS)]'
	@touch '$@'

demo: setup
	$(BIN)/monopoly-env demo

# An index out of bounds inside a game record would silently hit the next field.
# Whole folders go to a worker a core, a single file does not; `ARGS="-n 0"` does without workers.
test: setup
	NUMBA_BOUNDSCHECK=1 $(BIN)/pytest -n auto --dist worksteal $(ARGS)

# One process: what it times is training, and torch has threads of its own.
test-learning: setup
	$(BIN)/pytest -m learning $(ARGS)

# Each client in an environment of its own, without the tools of tests/conftest.py; what takes minutes
# runs too (`ARGS="-m 'not learning'"` leaves it out). One that fails does not keep the others from
# running.
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
	@touch '$@'

# Each Python has an environment of its own, with the core dependencies alone.
test-pythons:
	$(PYTHON) tests/golden/pythons.py $(PYTHONS)

test-kills: setup
	$(BIN)/python -m tests.training.kills $(KILLS) $(ARGS)

# What a release uploads, as a user gets it: without this checkout, with the core packages alone.
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

# The rules as plain Python, so that coverage can see them.
coverage: setup
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -q tests/rulebook/test_cases.py tests/cases \
	  $(filter-out %_fuzz.py %_landing.py,$(wildcard tests/engine/test_*.py)) tests/golden
	$(BIN)/coverage report --include='monopoly_env/engine/*' --skip-covered -m

format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

cases: setup
	@test -n '$(CASES)' || { echo "name the folder or file of rule cases: 'make cases CASES=tests/rulebook'"; exit 1; }
	$(BIN)/monopoly-env cases $(CASES)

bench: setup
	$(BIN)/monopoly-env bench

# The same on every machine.
pictures: setup
	$(BIN)/python -m monopoly_training.reference.pictures

# Each build is whole, so that no link leads to a page of before.
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

# A difference is a change of the public API: see tests/golden/test_api.py.
api: setup
	$(BIN)/python -m tests.golden.api --write

# For newer versions: remove .venv, then `make lock LOCK=`. Local build tags such as +cpu are cut
# off, because other machines have other builds of the same version.
lock:
	@$(MAKE) setup EXTRAS=all
	@{ sed -n '/^#/p' requirements.lock; $(BIN)/python -m pip --disable-pip-version-check freeze \
	  --exclude-editable --exclude monopoly-env | sed '/^#/d;s/+[A-Za-z0-9.]*$$//'; } > .lock.tmp
	@if grep '@' .lock.tmp; then echo "the line above names a file or an address: install that package from an index"; exit 1; fi
	@mv .lock.tmp requirements.lock
	@$(MAKE) hashes licenses

# torch is that of requirements.lock.
lock-clients:
	@for client in $(CLIENTS); do \
	  lock=tests/clients/$$client/requirements.lock; \
	  rm -rf .clients/$$client && : > $$lock && $(MAKE) .clients/$$client/.setup || exit 1; \
	  { echo "# What the tests of this folder ran with (\`make lock-clients CLIENTS=$$client\` writes this)."; \
	    .clients/$$client/bin/python -m pip --disable-pip-version-check freeze --exclude-editable \
	    --exclude monopoly-env | sed '/^#/d;s/+[A-Za-z0-9.]*$$//'; } > .lock.tmp && mv .lock.tmp $$lock || exit 1; \
	  touch .clients/$$client/.setup; \
	done

# What the pages in a browser hold, as npm has it: `make vendor` fetches the versions named here.
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
# torch has a file of its own: a CPU build comes from another index, with another hash.
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

# resvg_py ships its MIT license as a file alone; its metadata does not name it.
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

# --strict: a package that cannot be looked up is a failure, not a pass.
# Options of pip-audit, such as another source of advisories: AUDIT='-s osv --osv-url URL'
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
