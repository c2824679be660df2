/** `telemetry export`: a session's or a lap's file from a service that runs. */
import { createWriteStream } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Console, Data, Effect, Either, Redacted } from "effect"
import { settingsTable } from "../../app/Settings.ts"
import { readHttpAddressOr } from "../../platform/addresses/http.ts"
import { BadUsage, readCommandLine, type SettingValues, text, toggle } from "../../platform/commandLine.ts"
import { FAILED, quit } from "../../platform/exit.ts"
import { makeFolder } from "../../platform/makeFolder.ts"
import { reasonOf } from "../../platform/systemErrors.ts"
import { HERE, request, type Target } from "../service.ts"

const USAGE = `telemetry export FLAGS SESSION: writes a session, one of its laps, or all sessions to files

SESSION is the number of a session of the service that runs on this machine, or at --service. With --all each session gets a
file; telemetry import takes a folder of recordings. The exit status is 1 if a session could not be written.`

const whole = (given: string) =>
  /^\d{0,9}$/.test(given) ? Either.right(given) : Either.left("a whole number")

const exportTable = {
  service: {
    value: "URL",
    help: `Service that has the session; auto is ${HERE}`,
    read: readHttpAddressOr("auto"),
    fallback: "auto"
  },
  token: { ...settingsTable.token, help: "Access token of that service" },
  lap: { value: "N", help: "Only the lap of this number", read: whole, fallback: "" },
  format: {
    value: "FORMAT",
    help: "csv, json, ndjson, parquet, motec, recording, vbo, racechrono, motec-csv, gpx or kml",
    read: text,
    fallback: "recording"
  },
  all: { help: "All sessions, each in a file of the folder --output", read: toggle, fallback: "false" },
  output: {
    value: "FILE",
    help: "File to write, with --all the folder; auto is the name that the service gives it, or this folder",
    read: text,
    fallback: "auto"
  }
} as const

class NotWritten extends Data.TaggedError("NotWritten")<{ readonly path: string; readonly cause: unknown }> {}

interface ListedLap {
  readonly id: number
  readonly lap_number: number
}

type Settings = SettingValues<typeof exportTable>

/** The path of the file in the API. */
const pathOf = Effect.fnUntraced(function* (target: Target, session: string, lap: string, format: string) {
  if (lap === "") return `/export/session/${session}?format=${encodeURIComponent(format)}`
  const answer = yield* request(target, `/${session}/laps`, {})
  const laps = yield* Effect.promise(() => answer.json() as Promise<ReadonlyArray<ListedLap>>)
  const found = laps.find(({ lap_number }) => lap_number === Number(lap))
  if (found === undefined) return yield* new BadUsage({ sentence: `Session ${session} has no lap ${lap}` })
  return `/export/${encodeURIComponent(format)}/${found.id}`
})

/** Writes the body. The file has its name when it is complete. */
const write = (path: string, body: ReadableStream<Uint8Array>) =>
  Effect.tryPromise({
    try: async (signal) => {
      const part = `${path}.part`
      try {
        await pipeline(
          Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]),
          createWriteStream(part),
          { signal }
        )
        await rename(part, path)
      } finally {
        await rm(part, { force: true })
      }
    },
    catch: (cause) => new NotWritten({ path, cause })
  })

/** Writes one file. `placed`: its path, from the name that the service gives it. */
const exportOne = Effect.fnUntraced(function* (
  target: Target,
  session: string,
  { format, lap }: Settings,
  placed: (name: string) => string
) {
  const answer = yield* request(target, yield* pathOf(target, session, lap, format), {})
  const [, named] = /filename="([^"/\\]+)"/.exec(answer.headers.get("content-disposition") ?? "") ?? []
  const path = placed(named ?? `session-${session}`)
  yield* write(path, answer.body!)
  yield* Console.log(path)
})

/** The service's largest page. */
const PAGE = 1000

/** The numbers of all sessions. One that begins meanwhile moves others to the next page: none is left out. */
const allSessions = Effect.fnUntraced(function* (target: Target) {
  const found = new Set<number>()
  for (let offset = 0; ; offset += PAGE) {
    const answer = yield* request(target, `/sessions?limit=${PAGE}&offset=${offset}`, {})
    const { items } = yield* Effect.promise(
      () => answer.json() as Promise<{ readonly items: ReadonlyArray<{ readonly id: number }> }>
    )
    for (const { id } of items) found.add(id)
    if (items.length < PAGE) return [...found].sort((a, b) => a - b)
  }
})

const exportAll = Effect.fnUntraced(function* (target: Target, settings: Settings) {
  const folder = yield* makeFolder(settings.output === "auto" ? "." : settings.output)
  let refused = 0
  for (const id of yield* allSessions(target)) {
    yield* exportOne(target, String(id), settings, (name) => join(folder, name)).pipe(
      Effect.catchTag("ServiceRefused", (refusal) => {
        refused++
        return Console.log(`Session ${id} is not written: ${refusal.sentence}`)
      })
    )
  }
  if (refused > 0) return yield* quit(FAILED, "")
})

const exported = Effect.fnUntraced(function* (settings: Settings, sessions: ReadonlyArray<string>) {
  const { all, lap, output, service, token } = settings
  const [session, ...others] = sessions
  if (all && (sessions.length > 0 || lap !== "")) {
    return yield* new BadUsage({ sentence: "--all takes neither the number of a session nor --lap" })
  }
  if (!all && (session === undefined || !/^\d{1,15}$/.test(session) || others.length > 0)) {
    return yield* new BadUsage({ sentence: "Give the number of one session, or --all" })
  }
  const url = service === "auto" ? HERE : service.replace(/\/+$/, "")
  const target = { url, token: token === "none" ? undefined : Redacted.value(token) }
  return yield* session === undefined
    ? exportAll(target, settings)
    : exportOne(target, session, settings, (name) => (output === "auto" ? name : output))
})

/** The program, from the arguments after `export`. */
export const exporting = (argv: ReadonlyArray<string>) => {
  const sessions: Array<string> = []
  return Effect.flatMap(readCommandLine(USAGE, exportTable, argv, process.env, sessions), (settings) =>
    exported(settings, sessions).pipe(
      Effect.provide(NodeContext.layer),
      Effect.catchTags({
        ServiceAway: ({ url }) => quit(FAILED, `No telemetry service answers at ${url}`),
        ServiceRefused: ({ sentence }) => quit(FAILED, sentence),
        DataFolderUnusable: ({ cause, folder }) =>
          quit(FAILED, `${folder} cannot be written: ${reasonOf(cause)}`),
        NotWritten: ({ cause, path }) => quit(FAILED, `${path} cannot be written: ${reasonOf(cause)}`)
      })
    )
  )
}
