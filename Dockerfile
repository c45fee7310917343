# syntax=docker/dockerfile:1
# To pin the base: --build-arg NODE_IMAGE=node:24-slim@sha256:<digest>. Both stages use it.
ARG NODE_IMAGE=node:24-slim

# What it makes is the same for every architecture: packages at run time have no programs of their own.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /app
# What is installed follows from the lock file alone, and is installed anew only when that changes.
COPY package.json package-lock.json ./
COPY contract/package.json contract/
COPY packages/client/package.json packages/client/
COPY packages/command/package.json packages/command/
COPY server/package.json server/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The build writes the tree of routes, since no scripts of packages ran.
RUN node tools/build.mjs --stale \
  && node server/dist/proto.js \
  && npm ci --omit=dev -w server --ignore-scripts --no-audit --no-fund \
  && node tools/runtime.mjs /runtime

FROM ${NODE_IMAGE}
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Platform Console" \
  org.opencontainers.image.description="Web admin console for the Platform API v2, and a durable service that implements it" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
# Owned by root, and so is the rest: the service writes to /data only, and runs with a read-only root file system.
COPY --from=build /runtime ./
# So that `docker exec` finds the commands of an operator.
RUN ln -s /app/bin/platform-console /usr/local/bin/ \
  && install -d -o node -g node -m 0700 /data
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
# The image has no curl; a path of PUBLIC_URL may stand before it or not.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# As process 1 it takes SIGTERM itself; wait 30 seconds for it (docker stop --time 30).
CMD ["platform-console", "start"]
