/**
 * A lap or a session for MoTeC i2: a `.zip` with the log (`.ld`) and its beacons (`.ldx`). The log has the samples of one
 * channel after those of another, so it is written to a temporary file: memory does not grow with the session.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import type { RowsWanted } from "../../archive/chosenRows.ts"
import { emptyDictionary } from "../../domain/Dictionary.ts"
import { InvalidValue, LapNotFound } from "../../domain/errors.ts"
import type { RecordedLap } from "../../domain/Lap.ts"
import type { Session } from "../../domain/Session.ts"
import { Dictionaries } from "../../store/Dictionaries.ts"
import { Laps } from "../../store/Laps.ts"
import { RowStore } from "../../store/RowStore.ts"
import { Sessions } from "../../store/Sessions.ts"
import { ldHead, stored } from "./ldLayout.ts"
import { ldName } from "./ldNames.ts"
import { GAP_CHANNEL, groupsOf, plan, type Plan, type Range } from "./ldPlan.ts"
import { ldx } from "./ldx.ts"
import { Resampler } from "./Resampler.ts"

export const MOTEC_TYPE = "application/zip"

const MAX_BYTES = 0xffff_ffff
/** Around which positions without coordinates are placed, degrees: i2 draws maps from coordinates alone. */
const LATITUDE = 45
const RADIUS_M = 6_371_000
const DEGREES = 180 / Math.PI

/** Writes the log. `path`: of the file. */
const writeLog = Effect.fnUntraced(function* (
  path: string,
  range: Range,
  { planned, start }: Plan,
  head: Buffer,
  samplesAt: ReadonlyArray<number>
) {
  const store = yield* RowStore
  const file = yield* Effect.acquireRelease(
    Effect.sync(() => openSync(path, "w")),
    (descriptor) => Effect.sync(() => closeSync(descriptor))
  )
  writeSync(file, head, 0, head.length, 0)
  let before = 0
  for (const { channels, columns, count, name, out, rate } of planned) {
    const places = samplesAt.slice(before, before + out.length)
    before += out.length
    const put = (channel: number, first: number, values: Float64Array) => {
      const as = out[channel]!.stored
      const bytes = stored(values, as)
      writeSync(file, bytes, 0, bytes.length, places[channel]! + first * (bytes.length / values.length))
    }
    const [x, y] = ["position_x", "position_y"].map((position) =>
      channels.findIndex((one) => one.name === position)
    )
    const factors = channels.map((channel) => ldName(channel).factor)
    const resampler = new Resampler(
      channels.map(({ kind }) => kind),
      { count, rate, start },
      (first, values, gaps) => {
        values.forEach((column, c) =>
          put(c, first, factors[c] === 1 ? column : column.map((value) => value * factors[c]!))
        )
        let next = values.length
        if (out[next]?.name === "GPS Latitude" && next >= channels.length) {
          put(
            next++,
            first,
            values[y!]!.map((north) => LATITUDE + (north / RADIUS_M) * DEGREES)
          )
          const shrink = RADIUS_M * Math.cos(LATITUDE / DEGREES)
          put(
            next++,
            first,
            values[x!]!.map((east) => (east / shrink) * DEGREES)
          )
        }
        if (out[next]?.name === GAP_CHANNEL) put(next, first, gaps)
      }
    )
    yield* Stream.runForEach(store.read({ ...range, group: name }, columns), (batch) =>
      Effect.sync(() => resampler.push(batch))
    )
    resampler.finish()
  }
})

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "telemetry-export-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** `name`: of the files, without their endings. */
const motecFile = Effect.fnUntraced(function* (
  name: string,
  session: Session,
  range: Range,
  laps: ReadonlyArray<RecordedLap>,
  { channels = [], group, sampleRate = 1 }: RowsWanted
) {
  const given = { group: group ?? "", sample_rate: sampleRate > 1 ? String(sampleRate) : "" }
  for (const [parameter, value] of Object.entries(given)) {
    const expected = "left out, because a log has every group at its own rate"
    if (value !== "") return yield* new InvalidValue({ name: parameter, value, expected })
  }
  const dictionary = (yield* (yield* Dictionaries).dictionary(range.sessionId)) ?? emptyDictionary
  const planned = yield* plan(range, groupsOf(dictionary, channels))
  const out = planned.planned.flatMap((one) => one.out)
  const { head, samplesAt, size } = ldHead(out, {
    circuit: session.circuit,
    vehicle: session.vehicle,
    driver: session.driver,
    session: `Session ${session.id}`,
    comment: "Positions without coordinates are placed around 45 degrees north",
    start: Number.isNaN(planned.start) ? session.datetime : planned.start
  })
  if (size > MAX_BYTES) {
    const expected = `such that the log has at most 4 GiB: it would have ${(size / 2 ** 30).toFixed(1)}`
    return yield* new InvalidValue({ name: "channels", value: channels.join(","), expected })
  }
  const store = yield* RowStore
  const text = Stream.unwrapScoped(
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const log = join(folder, "log.ld")
      yield* Effect.scoped(writeLog(log, range, planned, head, samplesAt))
      // Bundled, a CommonJS module that is imported later has nothing but its default export.
      const { default: yazl } = yield* Effect.promise(() => import("yazl"))
      const zip = new yazl.ZipFile()
      // A log does not pack well, and i2 reads it at once.
      zip.addFile(log, `${name}.ld`, { compress: false })
      const beacons = ldx(laps, planned.start, planned.end)
      zip.addBuffer(Buffer.from(beacons, "latin1"), `${name}.ldx`, { compress: false })
      zip.end()
      return Stream.fromAsyncIterable(zip.outputStream as AsyncIterable<Uint8Array>, (error) => error).pipe(
        Stream.orDie
      )
    }).pipe(Effect.provideService(RowStore, store))
  )
  return { name: `${name}.zip`, contentType: MOTEC_TYPE, text }
})

export const lapMotec = Effect.fn("export.lapMotec")(function* (lapId: number, wanted: RowsWanted) {
  const lap = yield* (yield* Laps).lap(lapId)
  const gone = () => new LapNotFound({ lapId })
  const session = yield* Effect.catchTag((yield* Sessions).session(lap.sessionId), "SessionNotFound", gone)
  const range = { sessionId: lap.sessionId, from: lap.startTime, until: lap.endTime }
  return yield* Effect.catchTag(
    motecFile(`lap-${lap.id}`, session, range, [lap], wanted),
    "SessionNotFound",
    gone
  )
})

export const sessionMotec = Effect.fn("export.sessionMotec")(function* (
  sessionId: number,
  wanted: RowsWanted
) {
  const session = yield* (yield* Sessions).session(sessionId)
  const laps = yield* (yield* Laps).laps(sessionId)
  const range = { sessionId, from: -Infinity, until: Infinity }
  return yield* motecFile(`session-${sessionId}`, session, range, laps, wanted)
})
