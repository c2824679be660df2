/**
 * A week of use: seven evenings, with restarts of game, service, network and machine, a wrong clock at a boot, old sessions
 * that are removed, automatic exports, and overlays that stay open. At the end every count agrees.
 *
 * An evening lasts `EVENING_S` seconds of driving, 12 by default; with 480 the week takes an hour.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { WebSocket } from "ws"
import { NEVER_MS } from "../support/never.ts"
import { needing } from "../support/needing.ts"
import { faketimeHere, ownClock } from "../support/servers/faketime.ts"
import { type Drive, eveningFeed, type EveningFeed } from "./EveningFeed.ts"
import * as Box from "../support/processes.ts"

const EVENING_S = Number(process.env["EVENING_S"] ?? 12)
const DAYS = 7
const DAY_S = 86_400
/** Sessions are kept this long: at the end those of the last three evenings. */
const KEEP_DAYS = 2.5
const WRONG_CLOCK_DAY = 3
const PINNED_DAY = 1

interface Listed {
  readonly id: number
  readonly driver: string
  readonly datetime: string
  readonly total_laps: number
}

/** A live client like an overlay: it reconnects when a connection is lost, and counts points. */
const overlay = (address: () => string) => {
  let socket: WebSocket | undefined
  let isOver = false
  const seen = { points: 0, sessions: 0 }
  const open = () => {
    if (isOver) return
    const path = "/api/v1/telemetry/live?rate=20&events=lap,session"
    const opened = new WebSocket(`${address().replace("http", "ws")}${path}`)
    socket = opened
    opened.on("message", (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { readonly type: string }
      if (type === "telemetry") seen.points++
      if (type === "session") seen.sessions++
    })
    opened.on("error", () => undefined)
    opened.on("close", () => setTimeout(open, 300))
  }
  open()
  const close = () => {
    isOver = true
    socket?.terminate()
  }
  return { seen, close }
}

/** The service on its data folder, which a machine starts and ends. */
class Machine {
  readonly data: string
  readonly clock: string
  readonly #env: NodeJS.ProcessEnv
  readonly #game: string
  service!: Box.Running

  constructor(data: string, own: string, game: string) {
    const { clock, env } = ownClock(own)
    this.data = data
    this.clock = clock
    this.#env = { ...process.env, ...env }
    this.#game = game
  }

  readonly start = Effect.gen(this, function* () {
    const main = join(Box.root, "dist/program/main.js")
    const flags = ["--keep", String(KEEP_DAYS), "--remove-exports", "--log-format", "json"]
    const args = [main, "--port", "0", "--data", this.data, ...flags, ...Box.FLAGS]
    this.service = yield* Effect.orDie(Box.startProgram(process.execPath, args, { env: this.#env }))
    yield* Box.until(Box.connect(this.service, { address: this.#game }), ({ status }) => status === 200)
  })

  /** Waits until everything that the game has sent is stored. */
  readonly settle = Effect.gen(this, function* () {
    yield* Box.until(Box.connectionOf(this.service), (one) => {
      if (one === undefined) return false
      const { points_dropped, points_received, points_rejected, points_stored } = one
      expect([points_dropped, points_rejected]).toEqual([0, 0])
      return points_received === points_stored
    })
  })

  /** Sets the offset of its clock from this machine's, s. */
  set(offset: number): void {
    writeFileSync(this.clock, `${offset < 0 ? "" : "+"}${offset}`)
  }

  readonly sessions = Effect.suspend(() =>
    Effect.map(
      Box.get<{ readonly items: ReadonlyArray<Listed> }>(this.service, "/sessions?limit=1000"),
      ({ items }) => items
    )
  )
}

/** Drives for a part of the evening, and waits until all of it is read and stored. */
const driven = Effect.fnUntraced(function* (machine: Machine, feed: EveningFeed, share: number) {
  const drive = feed.drives.at(-1)!
  const aim = drive.sent + share * EVENING_S * 100
  feed.goOn()
  yield* Box.until(
    Effect.sync(() => drive.sent),
    (sent) => sent >= aim
  )
  feed.rest()
  yield* Effect.sleep("300 millis")
  yield* machine.settle
})

const evening = Effect.fnUntraced(function* (machine: Machine, feed: EveningFeed, day: number) {
  const offset = day * DAY_S
  // A machine without a battery for its clock boots in the past, until it gets the time from the network.
  const isWrong = day === WRONG_CLOCK_DAY
  machine.set(isWrong ? offset - 40 * DAY_S : offset)
  yield* machine.start
  const now = () => Date.now() / 1000 + offset

  feed.begin(day, now())
  yield* driven(machine, feed, 1 / 4)
  // The network is away for a moment in the lap.
  feed.lose()
  yield* driven(machine, feed, 1 / 4)
  if (isWrong) machine.set(offset)
  feed.end()

  // The game is started again, and the service while it is driven: once in an ordinary way, once by a power cut.
  feed.begin(day, now())
  yield* driven(machine, feed, 1 / 4)
  const status = yield* machine.service.signal(day % 2 === 0 ? "SIGTERM" : "SIGKILL")
  expect(status).toBe(day % 2 === 0 ? 0 : null)
  yield* machine.start
  yield* driven(machine, feed, 1 / 4)
  feed.end()
  yield* Box.until(Box.connectionOf(machine.service), (one) => one?.session_id === null)

  if (day === PINNED_DAY) {
    for (const { driver, id } of yield* machine.sessions) {
      if (driver.startsWith(`Evening ${day}`))
        yield* Box.ask(machine.service, "PUT", `/sessions/${id}`, { pinned: true })
    }
  }
  expect(yield* machine.service.signal("SIGTERM")).toBe(0)
})

/** Lines behind the first, of CSV; all lines, of NDJSON. */
const linesOf = (text: string) => text.trimEnd().split("\n").length

/** Each driver has the same number of points in every form of the service, and in its automatic exports. */
const counted = Effect.fnUntraced(function* (machine: Machine) {
  const { service } = machine
  const counts = new Map<string, number>()
  for (const { driver, id } of yield* machine.sessions) {
    const path = `/telemetry/range?session_id=${id}`
    const { total_points: points } = yield* Box.get<{ readonly total_points: number }>(service, path)
    const texts = yield* Effect.forEach(["text/csv", "application/x-ndjson"], (accept) =>
      Effect.promise(async () =>
        (await fetch(`${service.address}/api/v1${path}`, { headers: { accept } })).text()
      )
    )
    expect([linesOf(texts[0]!) - 1, linesOf(texts[1]!)]).toEqual([points, points])
    const exported = join(machine.data, "exports", `session-${id}.csv`)
    yield* Box.until(
      Effect.sync(() => existsSync(exported)),
      (isThere) => isThere
    )
    expect(linesOf(readFileSync(exported, "utf8")) - 1).toBe(points)
    counts.set(driver, (counts.get(driver) ?? 0) + points)
  }
  return counts
})

const isKept = ({ day }: Drive) => day === PINNED_DAY || day > DAYS - 1 - KEEP_DAYS

describe("a week of evenings", needing(faketimeHere), () => {
  it.scopedLive(
    `of ${EVENING_S} s loses no kept point in any form, and keeps nothing else`,
    () =>
      Effect.gen(function* () {
        const { address, feed } = yield* eveningFeed
        const machine = new Machine(yield* Box.folder, yield* Box.folder, address)
        machine.set(0)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* machine.start
            const before = yield* Box.get<object>(machine.service, "/config")
            const exporting = { ...before, auto_export: true, export_format: "csv" }
            expect((yield* Box.ask(machine.service, "PUT", "/config", exporting)).status).toBe(200)
            expect(yield* machine.service.signal("SIGTERM")).toBe(0)
          })
        )
        const overlays = yield* Effect.acquireRelease(
          Effect.sync(() => [1, 2].map(() => overlay(() => machine.service.address))),
          (all) => Effect.sync(() => all.forEach(({ close }) => close()))
        )
        for (let day = 0; day < DAYS; day++) {
          const before = overlays.map(({ seen }) => seen.points)
          yield* evening(machine, feed, day)
          for (const [n, { seen }] of overlays.entries())
            expect(seen.points).toBeGreaterThan(before[n]! + 10 * EVENING_S)
        }
        yield* machine.start
        const right = new Map(feed.drives.filter(isKept).map(({ driver, sent }) => [driver, sent]))
        yield* Box.until(machine.sessions, (all) => all.every(({ driver }) => right.has(driver)))
        expect(yield* counted(machine)).toEqual(right)
        const exported = readdirSync(join(machine.data, "exports")).toSorted()
        expect(exported).toEqual((yield* machine.sessions).map(({ id }) => `session-${id}.csv`).toSorted())
        expect((yield* Box.ask(machine.service, "GET", "/health")).status).toBe(200)
        expect(yield* machine.service.signal("SIGTERM")).toBe(0)
        expect(yield* Box.run("main.js", ["verify", "--data", machine.data])).toMatchObject({ code: 0 })
      }),
    DAYS * EVENING_S * 2000 + NEVER_MS
  )
})
