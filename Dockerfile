# One image for the web server, the worker, the migration and the command line. It holds no secret: settings come from the
# environment of each container (deploy/settings). It writes nothing into itself, so its root may be read-only.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# Whoever builds may have files that only they can read.
RUN npm run build -- --out=/release && chmod -R u=rwX,go=rX /release

FROM node:24-bookworm-slim
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1
# A new volume takes the owner of the folder that it is mounted on.
RUN install -d -o node -g node -m 700 /var/lib/prior-authorization/ledger \
  && install -d -o node -g node /var/lib/prior-authorization/heads
WORKDIR /srv/prior-authorization
COPY --from=build --chown=root:root /release ./
# That is `node`, as a number, by which Kubernetes can tell that it is not root.
USER 1000:1000
EXPOSE 3000 9464 9465
ENTRYPOINT ["node"]
CMD ["server.ts"]
