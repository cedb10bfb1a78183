# monopoly-env with its code compiled ahead: `docker build -t monopoly-env .`, then
# `docker run --rm monopoly-env evaluate champion --against veteran --games 100`.
FROM python:3.13-slim

# The extras to install, such as train,eval; none by default.
ARG EXTRAS=""
# generic: every x86-64 processor since 2015; native: processors like the one that builds the image,
# and the only choice on ARM.
ARG CPU=generic

COPY . /tmp/source
RUN pip install --no-cache-dir "/tmp/source${EXTRAS:+[$EXTRAS]}" && rm -rf /tmp/source

RUN monopoly-env compile --to /opt/monopoly-compiled --cpu "$CPU"
ENV MONOPOLY_ENV_CACHE=/opt/monopoly-compiled

# The folder belongs to root and is only read from here on.
RUN useradd --create-home player
USER player
WORKDIR /home/player

ENTRYPOINT ["monopoly-env"]
CMD ["--help"]
