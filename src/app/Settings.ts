/**
 * Every setting of the service: flag, environment variable and default, in one table.
 *
 * Over 250 lines: it is one table.
 */
import { Either } from "effect"
import {
  BadUsage,
  orNone,
  positiveNumber,
  text,
  toggle,
  wholeNumber,
  oneOf,
  type SettingValues
} from "../platform/commandLine.ts"
import { readHosts, readOrigins, readToken } from "../platform/addresses/access.ts"
import { logSettings } from "../observability/logSettings.ts"
import { readHostList } from "../platform/addresses/hostList.ts"
import { readBase } from "../platform/addresses/base.ts"
import { readHttpAddressOr } from "../platform/addresses/http.ts"
import { readClusterName, readNatsServers } from "../platform/addresses/nats.ts"
import { readPostgresUrl } from "../platform/addresses/postgres.ts"
import { readQuestdbAddress } from "../platform/addresses/questdb.ts"

/** The embedded store, or the address of another store. */
const sqliteOr =
  <A>(read: (given: string) => Either.Either<A, string>) =>
  (given: string): Either.Either<A | "sqlite", string> =>
    given === "sqlite" ? Either.right("sqlite") : Either.mapLeft(read(given), (form) => `sqlite, or ${form}`)

const MAX_PORTS = 64

/** `none`, `auto`, or ports. */
const readGames = (given: string): Either.Either<"none" | "auto" | ReadonlyArray<number>, string> => {
  if (given === "none" || given === "auto") return Either.right(given)
  const ports = given.split(",").map((port) => wholeNumber(1, 65535)(port.trim()))
  const numbers = new Set(ports.flatMap((port) => (Either.isRight(port) ? [port.right] : [])))
  return ports.every(Either.isRight) && numbers.size <= MAX_PORTS
    ? Either.right([...numbers])
    : Either.left(`none, auto, or at most ${MAX_PORTS} ports, comma-separated`)
}

/**
 * The variable with another default folder: the package for Windows sets it in telemetry.cmd
 * (tools/packageScripts.mjs).
 */
export const DEFAULT_DATA = "TELEMETRY_DEFAULT_DATA"

export const settingsTable = {
  host: {
    value: "ADDRESS",
    help: "Address to listen on",
    read: text,
    fallback: "127.0.0.1",
    env: "TELEMETRY_HOST"
  },
  port: {
    value: "PORT",
    help: "Port to listen on; 0 takes any free one",
    read: wholeNumber(0, 65535),
    fallback: "8080",
    env: "TELEMETRY_PORT"
  },
  allowOrigin: {
    value: "ORIGINS",
    help: "Origins whose pages may use the API, comma-separated, besides the service's own; * for all",
    read: readOrigins,
    fallback: "*",
    env: "TELEMETRY_ALLOW_ORIGIN"
  },
  allowHost: {
    value: "NAMES",
    help: "Host names that requests may use, comma-separated, besides localhost and addresses; checked if access is restricted",
    read: readHosts,
    fallback: "none",
    env: "TELEMETRY_ALLOW_HOST"
  },
  token: {
    value: "TOKEN",
    help: "Access token. Clients send Authorization: Bearer TOKEN, or ?token=TOKEN; 16 to 256 letters, digits and -._~",
    read: readToken,
    fallback: "none",
    env: "TELEMETRY_TOKEN",
    secret: true,
    protects: true
  },
  readOnly: {
    help: "Refuse every change: connecting, recording, configuring and deleting",
    read: toggle,
    fallback: "false",
    env: "TELEMETRY_READ_ONLY",
    protects: true
  },
  base: {
    value: "PATH",
    help: "Path below which a proxy serves the service, such as /telemetry/",
    read: readBase,
    fallback: "/",
    env: "TELEMETRY_BASE"
  },
  data: {
    value: "FOLDER",
    help: "Folder of the embedded store and of automatic exports",
    read: text,
    fallback: process.env[DEFAULT_DATA] ?? "./data",
    env: "TELEMETRY_DATA"
  },
  open: {
    help: "Open the live page in the browser after the start",
    read: toggle,
    fallback: "false",
    env: "TELEMETRY_OPEN"
  },
  existing: {
    help: "Start only if the data folder already has a store, so that an unmounted disk is noticed",
    read: toggle,
    fallback: "false",
    env: "TELEMETRY_EXISTING"
  },
  points: {
    value: "STORE",
    help: "Store for telemetry: sqlite, or questdb://HOST:PORT?pg=PORT",
    read: sqliteOr(readQuestdbAddress),
    fallback: "sqlite",
    env: "TELEMETRY_POINTS",
    secret: true
  },
  catalog: {
    value: "STORE",
    help: "Store for sessions and laps: sqlite, or postgres://USER:PASSWORD@HOST:PORT/DATABASE",
    read: sqliteOr(readPostgresUrl),
    fallback: "sqlite",
    env: "TELEMETRY_CATALOG",
    secret: true
  },
  record: {
    value: "WHAT",
    help: "Channels to store: points (the ten of a point), or all; live clients always get all",
    read: oneOf("points", "all"),
    fallback: "all",
    env: "TELEMETRY_RECORD"
  },
  keep: {
    value: "DAYS",
    help: "Remove sessions that ended so many days before the newest one; never pinned ones; none keeps all",
    read: orNone(positiveNumber(100_000)),
    fallback: "none",
    env: "TELEMETRY_KEEP"
  },
  keepSize: {
    value: "GIB",
    help: "Size limit of the store; beyond it the oldest sessions are removed, never pinned ones; none for no limit",
    read: orNone(positiveNumber(1_000_000)),
    fallback: "none",
    env: "TELEMETRY_KEEP_SIZE"
  },
  removeExports: {
    help: "Remove a session's automatic export together with the session (--keep, --keep-size)",
    read: toggle,
    fallback: "false",
    env: "TELEMETRY_REMOVE_EXPORTS"
  },
  importMax: {
    value: "GIB",
    help: "Limit of an uploaded file",
    read: positiveNumber(1_000_000),
    fallback: "4",
    env: "TELEMETRY_IMPORT_MAX"
  },
  importAtOnce: {
    value: "N",
    help: "Uploaded files that are read at a time",
    read: wholeNumber(1, 16),
    fallback: "1",
    env: "TELEMETRY_IMPORT_AT_ONCE"
  },
  importKeep: {
    help: "Keep uploaded files after they were imported, in the folder imports of the data folder",
    read: toggle,
    fallback: "false",
    env: "TELEMETRY_IMPORT_KEEP"
  },
  keepRaw: {
    help: "Keep the datagrams that games send beside their sessions; they hold names and ids of players",
    read: toggle,
    fallback: "false",
    env: "TELEMETRY_KEEP_RAW"
  },
  workers: {
    value: "N",
    help: "Number of processes that serve HTTP and live clients",
    read: wholeNumber(1, 64),
    fallback: "1",
    env: "TELEMETRY_WORKERS"
  },
  /**
   * A wrong decision costs a link and live clients; a late one costs the datagrams that arrive meanwhile. A single
   * piece of work in a process takes a second at most. Only a stalled disk, or memory that is swapped in, can stop a
   * process for longer.
   */
  hungAfter: {
    value: "SECONDS",
    help: "With several workers: replace a process that has not answered for this long",
    read: positiveNumber(3600),
    fallback: "30",
    env: "TELEMETRY_HUNG_AFTER"
  },
  relay: {
    value: "SERVERS",
    help: "NATS, through which services that share a catalog and points also share what is live: nats://HOST:PORT or tls://HOST:PORT, comma-separated",
    read: orNone(readNatsServers),
    fallback: "none",
    env: "TELEMETRY_RELAY"
  },
  relayCredentials: {
    value: "FILE",
    help: "With --relay: file with an nkey seed or a token",
    read: orNone(text),
    fallback: "none",
    env: "TELEMETRY_RELAY_CREDENTIALS"
  },
  cluster: {
    value: "NAME",
    help: "With --relay: services with the same name share what is live; letters, digits and -",
    read: readClusterName,
    fallback: "main",
    env: "TELEMETRY_CLUSTER"
  },
  lease: {
    value: "SECONDS",
    help: "With --relay: how long this node may be silent before another takes its connections over; 2 to 60",
    read: wholeNumber(2, 60),
    fallback: "3",
    env: "TELEMETRY_LEASE"
  },
  advertise: {
    value: "URL",
    help: "With --relay: the address of this node for people, in /nodes; by default that on which it listens",
    read: readHttpAddressOr("none"),
    fallback: "none",
    env: "TELEMETRY_ADVERTISE"
  },
  stopWithin: {
    value: "SECONDS",
    help: "Time to store everything after a signal to stop; then the rest is given up, and the exit status is 1",
    read: positiveNumber(3600),
    fallback: "10",
    env: "TELEMETRY_STOP_WITHIN"
  },
  maxSubscriptions: {
    value: "N",
    help: "Limit of open /trpc subscriptions for each process; further ones get 503",
    read: wholeNumber(1, 1_000_000),
    fallback: "2000",
    env: "TELEMETRY_MAX_SUBSCRIPTIONS"
  },
  noRestore: {
    help: "Begin without the connections that were open when the service ended; they stay listed",
    read: toggle,
    fallback: "false",
    env: "TELEMETRY_NO_RESTORE"
  },
  games: {
    value: "WHAT",
    help: "Record games that send without a connect: auto (any game, on its usual port), ports (20777,5400), or none; the page has it too",
    read: readGames,
    fallback: "none",
    env: "TELEMETRY_GAMES"
  },
  connectTimeout: {
    value: "SECONDS",
    help: "How long to wait for a simulator's first answer",
    read: positiveNumber(600),
    fallback: "5",
    env: "TELEMETRY_CONNECT_TIMEOUT"
  },
  connectsPerMinute: {
    value: "N",
    help: "Limit of connect requests per minute; further ones get 429; none for no limit",
    read: orNone(wholeNumber(1, 1_000_000)),
    fallback: "none",
    env: "TELEMETRY_CONNECTS_PER_MINUTE"
  },
  simulatorHosts: {
    value: "HOSTS",
    help: "Hosts that may be connected to, comma-separated: addresses, networks (10.0.0.0/8), names; or any",
    read: readHostList,
    fallback: "any",
    env: "TELEMETRY_SIMULATOR_HOSTS"
  },
  ...logSettings,
  otlp: {
    value: "URL",
    help: "OTLP/HTTP endpoint for traces, metrics and logs",
    read: readHttpAddressOr("none"),
    fallback: "none",
    env: "OTEL_EXPORTER_OTLP_ENDPOINT",
    secret: true
  }
} as const

/** The settings that a process runs with. */
export type SettingsValues = SettingValues<typeof settingsTable>

const bad = (sentence: string) => Either.left(new BadUsage({ sentence }))

/** Rejects settings that are valid separately but not together. */
export const together = (settings: SettingsValues): Either.Either<SettingsValues, BadUsage> => {
  const { catalog, keep, keepSize, points, relay, removeExports, workers } = settings
  if (keepSize !== "none" && points !== "sqlite") {
    return bad(
      "--keep-size cannot be held with points in QuestDB, which deletes no rows: give its address a ttl (--points 'questdb://HOST:PORT?ttl=30d'), or use --keep"
    )
  }
  if (removeExports && keep === "none" && keepSize === "none")
    return bad("--remove-exports needs --keep or --keep-size, which say when a session goes")
  if (relay !== "none" && (catalog === "sqlite" || points === "sqlite")) {
    return bad(
      "--relay needs --catalog postgres://… and --points questdb://…, because nodes share sessions and points on servers"
    )
  }
  if (relay !== "none" && workers > 1)
    return bad("--relay and --workers do not go together: run one service for each core instead")
  return Either.right(settings)
}
