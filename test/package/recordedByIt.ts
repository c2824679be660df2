/** The abilities of an installed program from any package: record, keep, read back, analyse, show. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"

const RATE = 60
const LAP_S = 40
const LAPS = 3
/** Half axes of an oval track, m. */
const LONG = 400
const SHORT = 150

const pointAt = (index: number) => {
  const timestamp = index / RATE
  const angle = (2 * Math.PI * timestamp) / LAP_S
  return {
    timestamp,
    speed: 150 + 40 * Math.cos(2 * angle),
    rpm: 7000 + 500 * Math.cos(2 * angle),
    gear: 4,
    throttle: 0.5 + 0.5 * Math.cos(2 * angle),
    brake: 0,
    steering: 0.2,
    position_x: LONG * Math.cos(angle),
    position_y: SHORT * Math.sin(angle),
    position_z: 0
  }
}

const points = Array.from({ length: RATE * LAP_S * LAPS }, (_, index) => pointAt(index))

/** A recording of the native feed in `folder`. */
const writeRecording = (folder: string): string => {
  const perLap = RATE * LAP_S
  const messages: Array<object> = [
    { type: "session", circuit: "Oval", vehicle: "Kart", driver: "Packer", start_time: 1.7e9 }
  ]
  for (let lap = 0; lap < LAPS; lap++) {
    for (let at = 0; at < perLap; at += 200) {
      messages.push({
        type: "points",
        points: points.slice(lap * perLap + at, lap * perLap + Math.min(at + 200, perLap))
      })
    }
    messages.push({
      type: "lap",
      lap_number: lap + 1,
      lap_time: LAP_S,
      sector1_time: null,
      sector2_time: null,
      sector3_time: null,
      valid: true,
      start_time: lap * LAP_S,
      end_time: (lap + 1) * LAP_S
    })
  }
  messages.push({ type: "session_end" })
  const file = join(folder, "oval.ndjson")
  writeFileSync(file, messages.map((message) => `${JSON.stringify(message)}\n`).join(""))
  return file
}

/** How the programs are started: the service and the simulator. */
export interface Installed {
  readonly service: (...flags: ReadonlyArray<string>) => ReturnType<typeof Box.startProgram>
  readonly simulator: (...flags: ReadonlyArray<string>) => ReturnType<typeof Box.startProgram>
}

interface Laps {
  readonly items: ReadonlyArray<{ readonly id: number; readonly total_laps: number }>
}

interface Range {
  readonly total_points: number
  readonly points: ReadonlyArray<{ readonly position_x: number }>
}

const readBack = Effect.fnUntraced(function* (service: Box.Running) {
  const { items } = yield* Box.get<Laps>(service, "/sessions")
  expect(items).toMatchObject([{ id: 1, total_laps: LAPS }])
  const range = yield* Box.get<Range>(service, "/telemetry/range?session_id=1")
  expect(range.points.map(({ position_x }) => position_x)).toEqual(points.map(({ position_x }) => position_x))
})

/** Records with the writing thread, analyses on another, and reads all of it after a restart. */
export const records = Effect.fn("package.records")(function* (installed: Installed, folder: string) {
  const data = join(folder, "data")
  const flags = ["--port", "0", "--data", data, "--log-format", "json", ...Box.FLAGS]
  yield* Effect.gen(function* () {
    const service = yield* installed.service(...flags)
    const feed = yield* installed.simulator(
      "--port",
      "0",
      "--replay",
      writeRecording(folder),
      "--speed",
      "max"
    )
    yield* Box.replayed(service, feed, points.length)
    yield* readBack(service)
    const compared = yield* Box.ask(service, "GET", "/compare?lap_ids=1&lap_ids=2")
    expect(compared).toMatchObject({ status: 200, body: { laps: [{ id: 1 }, { id: 2 }] } })
    const page = yield* Effect.promise(async () => await fetch(service.address))
    expect(page.headers.get("content-type")).toContain("text/html")
    expect(yield* Effect.promise(() => page.text())).toContain("<script")
    expect(service.errors()).not.toContain('"logLevel":"ERROR"')
    expect(yield* service.signal("SIGTERM")).toBe(0)
  }).pipe(Effect.scoped)
  // Several processes are started by the same program.
  yield* readBack(yield* installed.service(...flags, "--workers", "2"))
})
