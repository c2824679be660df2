# Built with the compiler that better-sqlite3 may need, run without it and not as root.
FROM node:22-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src src
COPY bench bench
COPY web web
RUN npm run build && rm -r dist/bench && npm prune --omit=dev

FROM node:22-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production TELEMETRY_HOST=0.0.0.0 TELEMETRY_DATA=/data
RUN mkdir /data && chown node:node /data
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/web/dist web/dist
COPY package.json LICENSE ./
USER node
VOLUME /data
EXPOSE 8080
CMD ["node", "dist/src/main.js"]
