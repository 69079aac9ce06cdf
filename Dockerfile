# signoff in a container: judges calls as JSON lines, or serves the daemon to its own pod.
#
#   docker build -t signoff .
#   echo '{"tool_name": "Bash", "tool_input": {"command": "rm -rf ~"}}' |
#     docker run --rm -i --read-only --tmpfs /state:uid=10001,mode=0700 --cap-drop ALL \
#       --security-opt no-new-privileges signoff
#
# `deploy/` runs it on many machines: compose.yaml, and a chart for Kubernetes.
# Nothing in it runs as root, and its root file system is never written to: only /state is.

ARG PYTHON=3.13-slim-bookworm

FROM python:${PYTHON} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /build
RUN python -m venv /opt/signoff
# Locked by hash, wheels only; before the source, so that a change of it installs nothing anew.
COPY requirements/run.txt requirements/fleet.txt requirements/build.txt requirements/
RUN /opt/signoff/bin/python -m pip install --require-hashes --no-deps --only-binary :all: \
        -r requirements/run.txt -r requirements/fleet.txt
RUN python -m venv /opt/builder \
    && /opt/builder/bin/python -m pip install --require-hashes --no-deps --only-binary :all: \
        -r requirements/run.txt -r requirements/build.txt
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY src src
RUN /opt/builder/bin/hatchling build -t wheel -d /build/dist \
    && /opt/signoff/bin/python -m pip install --no-deps --no-index /build/dist/*.whl \
    && /opt/signoff/bin/python -m pip uninstall --yes pip \
    && /opt/signoff/bin/python -m compileall -q /opt/signoff/lib

FROM python:${PYTHON}
LABEL org.opencontainers.image.title="signoff" \
      org.opencontainers.image.description="The sign-off layer between AI agents and what they do" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --system --uid 10001 --no-create-home --home-dir /state --shell /usr/sbin/nologin signoff \
    && install -d -o 10001 -g 10001 -m 0700 /state /config
COPY --from=build /opt/signoff /opt/signoff
ENV PATH=/opt/signoff/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/state \
    SIGNOFF_CONFIG_DIR=/config \
    SIGNOFF_STATE_DIR=/state/signoff
USER 10001:10001
VOLUME ["/state", "/config"]
WORKDIR /state
ENTRYPOINT ["signoff"]
CMD ["check", "--batch"]
