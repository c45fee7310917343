# syntax=docker/dockerfile:1
FROM node:20-slim AS build
WORKDIR /app
# What is installed follows from the lock file alone, and is installed anew only when that changes.
COPY package.json package-lock.json ./
COPY server/package.json server/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# Without the tables of `npm run build`, which go into docs/. What the console was made of is in dist/ then.
RUN node tools/build.mjs --stale && npm ci --omit=dev -w server --ignore-scripts --no-audit --no-fund

FROM node:20-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/server/package.json ./server/
COPY --from=build /app/server/dist ./server/dist
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 8080
# The image has no curl; a path of PUBLIC_URL may stand before it or not.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# As process 1 it takes SIGTERM itself, and needs up to 15 seconds.
CMD ["node", "server/dist/main.js"]
