/**
 * What each part of the tree may import: the table that `imports.test.ts` holds every source to, and that the parts of
 * ARCHITECTURE.md are compared with.
 *
 * A part is a folder or a file; the longest part that a file is in holds for it, and a part may always import itself. What an entry
 * of `may` names is allowed but for what has a row of its own: that is named itself. So `src/store` gives nobody `src/store/sqlite`.
 */

export interface ImportRule {
  /** Paths, or names of `groups`. */
  readonly may: ReadonlyArray<string>
  /** Why, for whoever meets the rule. */
  readonly because: string
  /** What single files import besides. */
  readonly exceptions?: Readonly<
    Record<string, { readonly may: ReadonlyArray<string>; readonly because: string }>
  >
}

/** What is allowed together, by one name. */
export const groups: Readonly<Record<string, ReadonlyArray<string>>> = {
  ports: [
    "src/store/Catalog.ts",
    "src/store/CatalogTransfer.ts",
    "src/store/Nodes.ts",
    "src/store/PointStore.ts"
  ],
  program: [
    "src/Settings.ts",
    "src/begin.ts",
    "src/commandLine.ts",
    "src/exit.ts",
    "src/observability",
    "src/startFailures.ts",
    "src/version.ts"
  ]
}

export const importRules: Readonly<Record<string, ImportRule>> = {
  src: { may: [], because: "what everybody may use uses nobody, and the service knows no simulator of ours" },
  "src/starter.ts": {
    may: [],
    because: "it loads the program, which begins by itself"
  },
  "src/main.ts": {
    may: ["src/begin.ts", "src/commands.ts"],
    because: "it starts the command that was asked for"
  },
  "src/commands.ts": {
    may: [
      "program",
      "demo/command.ts",
      "simulator/command.ts",
      "src/adopt",
      "src/autostart",
      "src/migrate",
      "src/restore",
      "src/roles",
      "src/suggestion.ts",
      "src/verify"
    ],
    because: "it loads the command that was asked for"
  },
  "src/roles": {
    may: [
      "program",
      "ports",
      "src/addresses",
      "src/archive",
      "src/export",
      "src/folder",
      "src/http",
      "src/processes.ts",
      "src/recording",
      "src/relay",
      "src/server.ts",
      "src/simulators",
      "src/simulators/drivers",
      "src/store",
      "src/store/chosenStores.ts",
      "src/store/postgres",
      "src/store/questdb",
      "src/store/sqlite",
      "src/trpc"
    ],
    because: "they choose what the service is made of, and do nothing else"
  },
  "src/Settings.ts": {
    may: ["src/addresses", "src/commandLine.ts", "src/observability"],
    because: "it reads settings, each by what reads its text, and knows no store, no HTTP and no simulator"
  },
  "src/addresses": {
    may: [],
    because: "what users write of servers, simulators and clients is read without what talks to them"
  },
  "src/exit.ts": {
    may: ["src/commandLine.ts", "src/standardStreams.ts", "src/threads", "src/version.ts"],
    because: "it ends a process, whatever that does"
  },
  "src/startFailures.ts": {
    may: ["src/Settings.ts", "src/domain", "src/relay", "src/store", "src/systemErrors.ts"],
    because: "it has the sentence of each reason why a program could not begin, and does nothing"
  },
  "src/folder": {
    may: ["ports", "src/domain", "src/retryPolicies.ts", "src/sqliteErrors.ts"],
    because: "a data folder is made and locked before anything opens it"
  },
  "src/domain": { may: [], because: "what the service talks about depends on nothing that it is made of" },
  "src/simulators": {
    may: [
      "ports",
      "src/Timing.ts",
      "src/Turns.ts",
      "src/addresses",
      "src/domain",
      "src/recording",
      "src/retryPolicies.ts"
    ],
    because: "connections hand events to the recorder, and know no driver but the port"
  },
  "src/simulators/drivers": {
    may: ["src/Timing.ts", "src/domain", "src/recording/EventSink.ts", "src/simulators"],
    because: "a driver decodes, and hands events over; it knows no store"
  },
  "src/recording": {
    may: [
      "ports",
      "src/domain",
      "src/live/LivePublisher.ts",
      "src/retryPolicies.ts",
      "src/store/PendingSessions.ts",
      "src/store/removals.ts",
      "src/systemErrors.ts",
      "src/threads"
    ],
    because: "it knows ports, never what implements them"
  },
  "src/store": {
    may: [
      "src/domain",
      "src/observability/traced.ts",
      "src/retryPolicies.ts",
      "src/sqliteErrors.ts",
      "src/systemErrors.ts",
      "src/wire.ts"
    ],
    because: "ports, and what stores share, know no single store"
  },
  "src/store/chosenStores.ts": {
    may: ["src/addresses", "src/domain", "src/store", "src/store/sqlite"],
    because: "it makes layers of addresses"
  },
  "src/store/sqlite": {
    may: [
      "src/domain",
      "src/folder",
      "src/observability/traced.ts",
      "src/sqliteErrors.ts",
      "src/store",
      "src/threads"
    ],
    because: "an implementation knows its ports, and no other implementation"
  },
  "src/store/questdb": {
    may: ["src/addresses", "src/domain", "src/retryPolicies.ts", "src/store", "src/threads"],
    because: "an implementation knows its ports, and no other implementation",
    exceptions: {
      "src/store/questdb/QuestdbStore.ts": {
        may: ["src/store/sqlite/SqliteSpool.ts"],
        because: "points wait in SQLite for a QuestDB that is away"
      }
    }
  },
  "src/store/postgres": {
    may: ["src/domain", "src/retryPolicies.ts", "src/store", "src/systemErrors.ts"],
    because: "an implementation knows its ports, and no other implementation"
  },
  "src/migrate": {
    may: [
      "program",
      "ports",
      "src/domain",
      "src/folder",
      "src/store",
      "src/store/chosenStores.ts",
      "src/store/postgres",
      "src/store/questdb",
      "src/store/sqlite",
      "src/systemErrors.ts"
    ],
    because: "it is a command of its own, which chooses two places"
  },
  "src/adopt": {
    may: [
      "program",
      "ports",
      "src/domain",
      "src/folder",
      "src/recording/sessionNames.ts",
      "src/store",
      "src/store/chosenStores.ts",
      "src/store/postgres",
      "src/store/questdb",
      "src/store/sqlite"
    ],
    because: "it is a command of its own, which chooses the stores it rebuilds"
  },
  "src/restore": {
    may: ["program", "src/domain", "src/folder", "src/store/sqlite"],
    because: "it is a command of its own, and replaces SQLite's file"
  },
  "src/autostart": {
    may: ["src/commandLine.ts", "src/exit.ts"],
    because: "it tells Windows what to start, and starts nothing"
  },
  "src/verify": {
    may: ["program", "src/domain", "src/folder", "src/store", "src/store/sqlite", "src/threads"],
    because: "it is a command of its own, and reads SQLite's blocks as they lie on the disk"
  },
  "src/provision": { may: [], because: "it gets and starts programs of others, whatever they are for" },
  "src/live": {
    may: ["ports", "src/Timing.ts", "src/Turns.ts", "src/domain", "src/threads/breathe.ts", "src/wire.ts"],
    because: "live telemetry goes to whoever subscribes, over whatever connection"
  },
  "src/analysis": { may: ["src/domain"], because: "analysis is pure" },
  "src/archive": {
    may: [
      "ports",
      "src/Turns.ts",
      "src/analysis",
      "src/domain",
      "src/store/removals.ts",
      "src/store/thinning.ts",
      "src/threads"
    ],
    because: "it reads what was recorded, wherever that is"
  },
  "src/threads": {
    may: ["src/Turns.ts", "src/domain", "src/heapGrowth.ts"],
    because: "it starts threads, whatever they compute"
  },
  "src/export": {
    may: ["ports", "src/archive", "src/domain", "src/store/PendingSessions.ts", "src/wire.ts"],
    because: "it writes texts and files of what the archive gives"
  },
  "src/operations": {
    may: [
      "ports",
      "src/analysis",
      "src/archive",
      "src/domain",
      "src/export",
      "src/live",
      "src/processes.ts",
      "src/recording/StoreProgress.ts",
      "src/simulators",
      // What connects may tell drivers, of which the request is made.
      "src/simulators/drivers/index.ts",
      "src/store/LocalFiles.ts",
      "src/systemErrors.ts",
      "src/threads",
      "src/version.ts",
      "src/wire.ts"
    ],
    because: "an operation knows services and ports, and none of the interfaces that offer it"
  },
  "src/http": {
    may: [
      "ports",
      "src/Timing.ts",
      "src/Turns.ts",
      "src/archive",
      "src/domain",
      "src/export",
      "src/live",
      "src/observability",
      "src/operations",
      "src/recording/StoreProgress.ts",
      "src/threads/SlicedScheduler.ts",
      "src/threads/breathe.ts",
      "src/version.ts",
      "src/wire.ts",
      // Plain data, of which the paths of overlays are made.
      "web/src/overlays/catalog.ts"
    ],
    because: "REST is made of the operations, and does not know tRPC"
  },
  "src/trpc": {
    may: ["ports", "src/domain", "src/export", "src/live", "src/operations", "src/simulators", "src/wire.ts"],
    because: "the router is made of the operations, and does not know REST"
  },
  "src/server.ts": { may: ["src/http", "src/trpc"], because: "it puts REST and tRPC on one port" },
  "src/relay": {
    may: [
      "ports",
      "src/domain",
      "src/exit.ts",
      "src/live",
      "src/observability",
      "src/processes.ts",
      "src/recording/StoreProgress.ts",
      "src/retryPolicies.ts",
      "src/simulators"
    ],
    because: "it carries between processes what others make and take"
  },
  "src/observability": {
    may: ["src/commandLine.ts", "src/domain", "src/standardStreams.ts", "src/version.ts"],
    because: "it counts, logs and traces, whatever is done"
  },
  tools: { may: [], because: "it runs before anything is built" },
  web: {
    may: ["src/trpc/client.ts"],
    because: "a page is a client like any other, and carries nothing of the service"
  },
  simulator: {
    may: [
      // What a process is made of, whatever it does.
      "src/begin.ts",
      "src/commandLine.ts",
      "src/exit.ts",
      "src/observability/logging.ts",
      "src/observability/logSettings.ts",
      "src/systemErrors.ts",
      "src/version.ts",
      // The native feed's protocol, and packets as tables: what else both sides knew of them would be proved by neither.
      "src/simulators/packets/Struct.ts",
      "src/simulators/drivers/*/layout.ts",
      // Held to encrypted bytes that others made (test/simulators/drivers/gt7Golden.test.ts).
      "src/simulators/drivers/gt7/cipher.ts",
      "src/simulators/drivers/native/protocol.ts",
      "src/simulators/drivers/lfs/insim.ts",
      "src/simulators/drivers/lfs/PacketStream.ts"
    ],
    because:
      "it is a product beside the service, and shares only protocols, layouts of packets and what a process needs"
  },
  demo: {
    may: [
      "simulator",
      "src/addresses",
      "src/commandLine.ts",
      "src/exit.ts",
      "src/observability/logging.ts",
      "src/provision",
      "src/Settings.ts",
      "src/systemErrors.ts",
      "src/trpc/client.ts"
    ],
    because: "it starts the service and the simulator, and asks the service as any client does"
  },
  bench: {
    may: [
      "simulator",
      "ports",
      "src/addresses",
      "src/analysis",
      "src/archive",
      "src/domain",
      "src/live/protocol.ts",
      "src/provision",
      "src/recording/intakeLimits.ts",
      "src/simulators",
      "src/simulators/drivers",
      "src/store",
      "src/store/postgres",
      "src/store/questdb",
      "src/store/sqlite"
    ],
    because:
      "it measures processes from outside, and within the service what computes, packs and stores; a baseline has the service's limits"
  }
}

export interface PackageRule {
  /** Folders and files. */
  readonly in: ReadonlyArray<string>
  readonly because: string
}

/**
 * Where a package may be imported. A name ends at a slash, or anywhere behind a `*`; the longest that fits holds, and a package that is
 * not here may be imported nowhere. Folders that are named nowhere below "effect" and "tiny-invariant", as `src/domain` and
 * `src/analysis`, have these two and nothing of Node.
 */
export const packageRules: Readonly<Record<string, PackageRule>> = {
  effect: {
    in: ["src", "simulator", "demo", "bench"],
    because: "pages are small, and tools run before it is installed"
  },
  "tiny-invariant": {
    in: ["src", "simulator"],
    because: "it asserts what a caller within the program must have seen to"
  },
  "node:*": {
    in: [
      "src/addresses/hostList.ts",
      "src/commandLine.ts",
      "src/adopt",
      "src/autostart",
      "src/descriptors.ts",
      "src/folder",
      "src/http",
      "src/live",
      "src/migrate",
      "src/observability",
      "src/processes.ts",
      "src/provision",
      "src/relay",
      "src/restore",
      "src/roles",
      "src/simulators",
      "src/starter.ts",
      "src/store",
      "src/threads",
      "src/trpc",
      "src/verify",
      "src/version.ts",
      "src/heapGrowth.ts",
      "bench",
      "demo",
      "simulator",
      "tools",
      "web/precompressed.ts",
      "web/vite.config.ts"
    ],
    because: "what computes, decides or describes has no I/O"
  },
  "node:http*": {
    in: ["src/http", "src/server.ts", "src/trpc", "bench"],
    because: "HTTP stays in its interfaces"
  },
  "@effect/platform": {
    in: [
      "src/exit.ts",
      "src/export/AutoExport.ts",
      "src/http",
      "src/store/sqlite",
      "demo/command.ts",
      "bench"
    ],
    because: "files, processes and threads are for those at the edge"
  },
  "@effect/platform/Http*": {
    in: [
      "src/http",
      "src/observability/tracing.ts",
      "src/relay",
      "src/server.ts",
      "src/startFailures.ts",
      "src/store/questdb",
      "src/trpc/route.ts",
      "demo/command.ts"
    ],
    because:
      "HTTP stays in its interfaces, with the errors of a port that is taken, and the client of QuestDB"
  },
  "@effect/platform/FetchHttpClient": {
    in: ["src/observability/tracing.ts", "demo/command.ts"],
    because: "only what asks other programs over HTTP needs a client"
  },
  "@effect/platform-node": {
    in: [
      "src/adopt/command.ts",
      "src/exit.ts",
      "src/migrate/command.ts",
      "src/roles",
      "src/store/sqlite",
      "demo/command.ts",
      "bench"
    ],
    because: "only those that run a process or a thread say which platform it has"
  },
  "@effect/platform-node/NodeHttp*": {
    in: ["src/http", "src/server.ts", "src/store/questdb", "src/trpc/route.ts"],
    because: "HTTP stays in its interfaces"
  },
  "@effect/opentelemetry": {
    in: ["src/observability/tracing.ts"],
    because: "traces leave the process in one place"
  },
  "@effect/sql": {
    in: ["src/store", "src/verify", "bench"],
    because: "SQL stays in the stores"
  },
  "@effect/sql-pg": { in: ["src/store/postgres", "bench"], because: "SQL stays in the stores" },
  "@effect/experimental": {
    in: ["src/store/postgres", "src/store/sqlite"],
    because: "only SQL clients ask for it"
  },
  "node:sqlite": {
    in: [
      "src/folder/FolderLock.ts",
      "src/folder/databaseLogs.ts",
      "src/restore/restore.ts",
      "src/store/sqlite/SqliteConnection.ts",
      "bench"
    ],
    because:
      "stores go through the SQL client, which has one connection below; a lock of the folder, a log and a backup are SQLite's own"
  },
  pg: {
    in: ["src/store/postgres", "src/store/questdb", "bench"],
    because: "a server is asked in its store's folder alone"
  },
  "@questdb/nodejs-client": {
    in: ["src/store/questdb", "bench"],
    because: "QuestDB is asked in its folder alone"
  },
  ws: {
    in: ["src/http/handshake.ts", "src/live", "src/simulators/drivers/native", "simulator/feed", "bench"],
    because: "a WebSocket is opened or written to in few places"
  },
  "@trpc/server": { in: ["src/trpc"], because: "tRPC stays in its interface" },
  "@trpc/client": { in: ["src/trpc/client.ts", "web/src/api.ts"], because: "pages have one client" },
  negotiator: { in: ["src/http"], because: "it reads headers" },
  "apache-arrow": { in: ["src/export/pointsArrow.ts", "bench"], because: "one module writes Arrow" },
  "@noble/ciphers": {
    in: ["src/simulators/drivers/gt7"],
    because: "one simulator encrypts its packets"
  },
  "fastest-levenshtein": { in: ["src/suggestion.ts"], because: "words are compared in one place" },
  tinypool: { in: ["src/threads"], because: "threads are started in one place" },
  preact: { in: ["web"], because: "it is for pages" },
  "@preact/signals": { in: ["web"], because: "it is for pages" },
  uplot: { in: ["web"], because: "it is for pages" },
  "swagger-ui-dist": { in: ["web"], because: "it is for pages" },
  vite: {
    in: ["web/pageDocuments.ts", "web/precompressed.ts", "web/vite.config.ts"],
    because: "it builds pages"
  },
  esbuild: { in: ["tools"], because: "it builds the program" },
  tar: { in: ["tools/package.mjs"], because: "packages are made in one place" },
  yazl: { in: ["tools/package.mjs"], because: "packages are made in one place" },
  fastify: { in: ["bench"], because: "it is what the service is measured against" },
  "socket.io": { in: ["bench"], because: "it is what the service is measured against" },
  "playwright-core": { in: ["bench"], because: "it opens pages to measure them" }
}
