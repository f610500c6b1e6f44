# Built here, run there: only what runs goes into the second image.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && npm prune --omit=dev --omit=optional

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /src/package.json /src/LICENSE ./
COPY --from=build /src/bin bin
COPY --from=build /src/dist dist
COPY --from=build /src/fixtures/novel fixtures/novel
COPY --from=build /src/node_modules node_modules
RUN ln -s /app/bin/manuscript.js /usr/local/bin/manuscript \
  && install -d -o node -g node /manuscripts
USER node
ENV XDG_STATE_HOME=/manuscripts/.state
VOLUME /manuscripts
WORKDIR /manuscripts
EXPOSE 7341
# Any answer is a sign of life; the documents need no key.
HEALTHCHECK --interval=30s --timeout=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:7341/docs').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["manuscript"]
CMD ["serve", "--host", "0.0.0.0", "--allow-remote", "/manuscripts"]
