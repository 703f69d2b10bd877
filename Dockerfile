# One file, two images: `embedded` is Parley whole, in one process; `service` is the same code, one deployable per container.
FROM node:24-bookworm-slim AS build
WORKDIR /parley
COPY . .
RUN npm ci --no-audit --no-fund && npm run build && npm prune --omit=dev --no-audit --no-fund && rm -rf node_modules/.cache .turbo

FROM node:24-bookworm-slim AS code
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 PARLEY_SKIP_BUILD=1
WORKDIR /parley
COPY --from=build --chown=root:root /parley /parley
# Compiled code is kept between starts in here; everything else is read only.
RUN mkdir -p node_modules/.cache/parley /data && chown 65532:65532 node_modules/.cache/parley /data
USER 65532:65532

FROM code AS service
EXPOSE 3000 9464

FROM code AS embedded
ENV PARLEY_DATA=/data PARLEY_HOST=0.0.0.0 PARLEY_PORT=3000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/api/auth/registration').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "cli/bin/parley.mjs", "start"]
