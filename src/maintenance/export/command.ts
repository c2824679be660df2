/** `telemetry export`: a session's or a lap's file from a service that runs. */
import { createWriteStream } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Console, Data, Effect, Either, Redacted } from "effect"
import { settingsTable } from "../../app/Settings.ts"
import { readHttpAddressOr } from "../../platform/addresses/http.ts"
import { BadUsage, readCommandLine, type SettingValues, text } from "../../platform/commandLine.ts"
import { FAILED, quit } from "../../platform/exit.ts"
import { reasonOf } from "../../platform/systemErrors.ts"
import { HERE, request, type Target } from "../service.ts"

const USAGE = `telemetry export FLAGS SESSION: writes a session, or one of its laps, to a file

SESSION is the number of a session of the service that runs on this machine, or at --service.`

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
  output: {
    value: "FILE",
    help: "File to write; auto is the name that the service gives it",
    read: text,
    fallback: "auto"
  }
} as const

class NotWritten extends Data.TaggedError("NotWritten")<{ readonly path: string; readonly cause: unknown }> {}

interface ListedLap {
  readonly id: number
  readonly lap_number: number
}

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

const exported = Effect.fnUntraced(function* (
  { format, lap, output, service, token }: SettingValues<typeof exportTable>,
  sessions: ReadonlyArray<string>
) {
  const [session, ...others] = sessions
  if (session === undefined || !/^\d{1,15}$/.test(session) || others.length > 0) {
    return yield* new BadUsage({ sentence: "Give the number of one session" })
  }
  const url = service === "auto" ? HERE : service.replace(/\/+$/, "")
  const target = { url, token: token === "none" ? undefined : Redacted.value(token) }
  const answer = yield* request(target, yield* pathOf(target, session, lap, format), {})
  const [, named] = /filename="([^"/\\]+)"/.exec(answer.headers.get("content-disposition") ?? "") ?? []
  const path = output === "auto" ? (named ?? `session-${session}`) : output
  yield* write(path, answer.body!)
  yield* Console.log(path)
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
        NotWritten: ({ cause, path }) => quit(FAILED, `${path} cannot be written: ${reasonOf(cause)}`)
      })
    )
  )
}
