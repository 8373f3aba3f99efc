# One image for the web server, the worker, the migration and the command line. It holds no secret: settings come from the
# environment of each container (deploy/settings). It writes nothing into itself, so its root may be read-only.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build -- --out=/release

FROM node:24-bookworm-slim
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1
WORKDIR /srv/prior-authorization
COPY --from=build --chown=root:root /release ./
USER node
EXPOSE 3000 9464
ENTRYPOINT ["node"]
CMD ["server.ts"]
