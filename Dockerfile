# Not run as root. The image has Node: the one that npm brings stays behind.
FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
RUN npm ci
COPY tools tools
COPY src src
COPY simulator simulator
COPY demo demo
COPY web web
# The program holds its libraries; what stays is what cannot be in it.
RUN node tools/build.mjs program pages && npm prune --omit=dev && rm -rf node_modules/node-*

FROM node:26-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production TELEMETRY_HOST=0.0.0.0 TELEMETRY_DATA=/data
# glibc gives freed buffers of this size back to the system: after an attack by 300 clients it kept 439 MiB without, 350 MiB with it.
ENV MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=1048576
RUN mkdir /data && chown node:node /data
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist/program dist/program
COPY --from=build /app/web/dist web/dist
COPY package.json LICENSE ./
USER node
VOLUME /data
EXPOSE 8080
# Where games send to (docs/simulators.md): F1, DiRT Rally and EA WRC; Project CARS 2; Forza; BeamNG; Richard Burns Rally; Project
# Motor Racing; Gran Turismo 7.
EXPOSE 20777/udp 5606/udp 5607/udp 4444/udp 6776/udp 7576/udp 33740/udp
CMD ["node", "dist/program/main.js"]
