/**
 * Faults at random moments, in random order: whatever happens, the first points of each link of the feed are stored, every one of
 * them once, in order and to the last bit, and no fewer than were acknowledged; counts agree, laps are those that the feed sent, and
 * the service is healthy and records again by itself.
 *
 * `TELEMETRY_FAULTS_SEED=7` chooses the same faults again (their moments are the machine's), `TELEMETRY_FAULTS=50` so many
 * of them in each run.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, identity, Random, Scope } from "effect"
import * as Box from "../support/processes.ts"
import { type Need, needing } from "../support/needing.ts"
import { faketimeHere, ownClock } from "../support/servers/faketime.ts"
import { postgresHere, postgresServer } from "../support/servers/postgres.ts"
import { ownQuestdbHere, startOwnQuestdb } from "../support/servers/questdb.ts"
import {
  clockJumps,
  diskFull,
  type Fault,
  faultsOf,
  fileHeld,
  processFaults,
  serverFaults,
  serviceStops,
  type Stall,
  standsStill
} from "./faults.ts"
import { type NumberedFeed, numberedFeed } from "./NumberedFeed.ts"
import { type Life as Stored, storedOf } from "./storedOf.ts"

const FAULTS = Number(process.env["TELEMETRY_FAULTS"] ?? 14)
const SEED = Number(process.env["TELEMETRY_FAULTS_SEED"] ?? Date.now() % 1_000_000)

interface Life extends Stored {
  acknowledged: number
  /**
   * The acknowledged points before the newest ones: laps are stored after the points of the same write, so that a kill between the two
   * may take laps of points that are stored; then nothing more was acknowledged.
   */
  settled: number
}

/** A service on its data folder, which the test may have to start again. */
class Subject {
  readonly lives: Array<Life> = []
  readonly feed: NumberedFeed
  readonly address: string
  readonly begin: Effect.Effect<Box.Running, Box.ProcessEnded, Scope.Scope>
  service!: Box.Running

  constructor(feed: NumberedFeed, address: string, begin: Subject["begin"]) {
    this.feed = feed
    this.address = address
    this.begin = begin
  }

  readonly start = Effect.gen(this, function* () {
    this.lives.push({ firstLink: this.feed.links.length, acknowledged: 0, settled: 0 })
    this.service = yield* this.begin
    yield* Box.until(Box.connect(this.service, { address: this.address }), ({ status }) => status === 200)
  })

  /** The recorder has been killed, or may have been: from the next link on another one acknowledges. */
  readonly anotherLife = Effect.sync(
    () => void this.lives.push({ firstLink: this.feed.links.length, acknowledged: 0, settled: 0 })
  )

  /** Undefined without an answer: a request on its way to a worker that is killed gets none. */
  readonly #tried = <A>(asking: (service: Box.Running) => Effect.Effect<A>) =>
    Effect.suspend(() => Effect.disconnect(asking(this.service))).pipe(
      Effect.catchAllDefect(() => Effect.succeed(undefined)),
      Effect.timeoutTo({ duration: "5 seconds", onSuccess: identity, onTimeout: () => undefined })
    )

  /** The connection as /status reports it. */
  readonly counts = this.#tried(Box.connectionOf)

  /** Acknowledged points count for the life of the service in which it answered; the counts of an answer agree with each other. */
  readonly watch = Effect.gen(this, function* () {
    const life = this.lives.at(-1)!
    const counts = yield* this.counts
    if (counts === undefined) return
    const { points_dropped, points_received, points_rejected, points_stored } = counts
    expect(points_dropped).toBe(0)
    expect(points_received).toBeGreaterThanOrEqual(points_stored + points_rejected)
    if (life !== this.lives.at(-1) || this.feed.links.length <= life.firstLink) return
    if (points_stored <= life.acknowledged) return
    life.settled = life.acknowledged
    life.acknowledged = points_stored
  })

  readonly healthy = Box.until(
    this.#tried((service) => Box.ask(service, "GET", "/health")),
    (answer) => answer?.status === 200
  )

  /** Waits until more is stored than at the call. */
  readonly recordsOn = Effect.gen(this, function* () {
    const before = yield* Box.until(this.counts, (counts) => counts !== undefined)
    yield* Box.until(this.counts, (counts) => {
      if (counts === undefined) return false
      const { points_stored, state } = counts
      return state === "connected" && points_stored !== 0 && points_stored !== before!.points_stored
    })
  })

  /** Everything stored is right, and includes everything acknowledged. */
  readonly expectKept = Effect.gen(this, function* () {
    const lives = this.lives.map((life) => ({ ...life }))
    const points = yield* storedOf(this.service, this.feed, lives)
    for (const [n, { acknowledged, firstLink }] of lives.entries()) {
      const links = points.slice(firstLink, lives[n + 1]?.firstLink)
      expect(links.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(acknowledged)
    }
    return points
  })

  /** Started again after it was killed, it has everything that it had. */
  readonly isAsBefore = Effect.suspend(() => Effect.zipRight(Effect.orDie(this.start), this.expectKept))
}

const killed = (subject: Subject) =>
  Effect.gen(function* () {
    yield* subject.service.signal("SIGKILL")
    yield* subject.isAsBefore
  })

/** Points and laps that come at once as the store stalls, so that its first write that waits has both. */
const STALLED_POINTS = 10_000

/** Kills the service while received points cannot be stored: points acknowledged too early would be lost. */
const killedWhile = (subject: Subject, { begin, end }: Stall) =>
  Effect.gen(function* () {
    subject.feed.flood(STALLED_POINTS)
    yield* Effect.acquireUseRelease(
      begin,
      () =>
        Effect.gen(function* () {
          yield* Box.until(subject.counts, (counts) => {
            if (counts === undefined) return false
            return counts.points_received - counts.points_stored - counts.points_rejected > 0
          })
          yield* subject.watch
          yield* subject.service.signal("SIGKILL")
        }),
      () => end
    )
    yield* subject.isAsBefore
  })

interface Circumstances {
  readonly flags?: ReadonlyArray<string>
  readonly folder?: string
  readonly env?: NodeJS.ProcessEnv
  readonly faults?: (service: () => Box.Running) => ReadonlyArray<Fault>
  /** The fault that prevents storing, if it is not a locked file. */
  readonly stall?: Stall
}

const survives = Effect.fn(function* ({ env = {}, faults, flags = [], folder, stall }: Circumstances) {
  const { address, feed } = yield* numberedFeed
  const data = folder ?? (yield* Box.folder)
  const main = join(Box.root, "dist/program/main.js")
  const args = [main, "--port", "0", "--data", data, "--log-format", "json", ...Box.FLAGS, ...flags]
  const scope = yield* Effect.scope
  const begin = Box.startProgram(process.execPath, args, { env: { ...process.env, ...env } })
  const subject = new Subject(feed, address, begin)
  const kill = Effect.provideService(killed(subject), Scope.Scope, scope)
  const stalled = stall ?? fileHeld(data)
  const killStalled = Effect.provideService(killedWhile(subject, stalled), Scope.Scope, scope)
  const service = () => subject.service
  const all: ReadonlyArray<Fault> = [
    ...faultsOf(feed),
    serviceStops(service),
    { name: "the service is killed", happen: kill },
    { name: `the service is killed while ${stalled.name}`, happen: killStalled },
    ...(faults?.(service) ?? [])
  ]

  const run = Effect.gen(function* () {
    yield* subject.recordsOn
    const order = yield* Random.shuffle(Array.from({ length: FAULTS }, (_, n) => all[n % all.length]!))
    for (const { endsRecording, happen, name } of order) {
      yield* Effect.sleep(yield* Random.nextIntBetween(20, 400))
      console.log(name)
      if (endsRecording === true) yield* subject.anotherLife
      yield* happen
      yield* subject.healthy
      yield* subject.recordsOn
    }
    feed.end()
    const counts = yield* Box.until(subject.counts, (now) => {
      if (now === undefined || now.session_id !== null) return false
      return now.points_received === now.points_stored + now.points_rejected
    })
    expect(counts!.points_stored).toBeGreaterThan(0)
    // Everything, with laps and the end of its session.
    subject.lives.at(-1)!.settled = Infinity
    const points = yield* subject.expectKept
    const last = feed.links.at(-1)!
    expect(points.at(-1)).toBe(last.until - last.from)
    expect(yield* subject.service.signal("SIGTERM")).toBe(0)
  })

  yield* subject.start
  yield* Effect.raceFirst(run, Effect.forever(Effect.zipRight(subject.watch, Effect.sleep("50 millis"))))
})

const SETTINGS = `(seed ${SEED}, ${FAULTS} faults)`

const seeded = <A, E, R>(run: Effect.Effect<A, E, R>) => Effect.withRandom(run, Random.make(SEED))

const MOUNT = "/usr/bin/mount"
const smallDiskHere: Need =
  process.platform === "linux" && process.getuid?.() === 0 && existsSync(MOUNT)
    ? { missing: undefined }
    : { missing: "no small file system can be mounted here (it takes root, on Linux)" }

/** A file system of its own, in memory, of 48 MiB. */
const smallDisk = Effect.gen(function* () {
  const parent = yield* Box.folder
  const folder = join(parent, "disk")
  mkdirSync(folder)
  yield* Effect.acquireRelease(
    Effect.sync(() => execFileSync(MOUNT, ["-t", "tmpfs", "-o", "size=48m", "tmpfs", folder])),
    () => Effect.sync(() => execFileSync("/usr/bin/umount", ["--lazy", folder]))
  )
  return folder
})

it.scopedLive(`one process with its own store survives random faults ${SETTINGS}`, () => seeded(survives({})))

it.scopedLive(`several processes survive random faults ${SETTINGS}`, () =>
  seeded(survives({ flags: ["--workers", "2"], faults: processFaults }))
)

describe("a service on a disk that is full now and then", needing(smallDiskHere), () => {
  it.scopedLive(`survives random faults ${SETTINGS}`, () =>
    seeded(
      Effect.gen(function* () {
        const folder = yield* smallDisk
        yield* survives({ folder, faults: () => [diskFull(folder), diskFull(folder), diskFull(folder)] })
      })
    )
  )
})

describe("a service whose clock jumps", needing(faketimeHere), () => {
  it.scopedLive(`survives random faults ${SETTINGS}`, () =>
    seeded(
      Effect.gen(function* () {
        const { clock, env } = ownClock(yield* Box.folder)
        yield* survives({ env, faults: () => [clockJumps(clock), clockJumps(clock), clockJumps(clock)] })
      })
    )
  )
})

describe("a service with QuestDB and PostgreSQL", needing(ownQuestdbHere, postgresHere), () => {
  it.scopedLive(`survives random faults ${SETTINGS}`, () =>
    seeded(
      Effect.gen(function* () {
        const questdb = yield* startOwnQuestdb
        const postgres = yield* postgresServer
        yield* survives({
          flags: ["--points", questdb.url, "--catalog", postgres.url],
          faults: () => [...serverFaults("QuestDB", questdb), ...serverFaults("PostgreSQL", postgres)],
          stall: standsStill("QuestDB", questdb.stop, questdb.goOn)
        })
      })
    )
  )
})
