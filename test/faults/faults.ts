/** Faults that a run of the random suite chooses from: each is done, and undone if it does not pass by itself. */
import { readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { Effect, Random } from "effect"
import type { Running } from "../support/processes.ts"
import { alive, processesOf } from "../blackbox/serviceProcesses.ts"
import { lies, type NumberedFeed } from "./NumberedFeed.ts"
import { openSqlite } from "../support/sqliteFile.ts"

export interface Fault {
  readonly name: string
  readonly happen: Effect.Effect<void>
  /** From now on another process records and acknowledges. */
  readonly endsRecording?: boolean
}

const fault = (name: string, happen: Effect.Effect<void>): Fault => ({ name, happen })

const between = (least: number, most: number) => Random.nextIntBetween(least, most + 1)

const awhile = (least: number, most: number) =>
  Effect.flatMap(between(least, most), (milliseconds) => Effect.sleep(milliseconds))

const oneOf = <A>(all: ReadonlyArray<A>) => Effect.map(between(0, all.length - 1), (n) => all[n]!)

/** Acts once, with a random size. */
const done = (act: (some: number) => void, most: number) => Effect.map(between(1, most), (some) => act(some))

/** Faults of a broken or hostile simulator. */
export const faultsOf = (feed: NumberedFeed): ReadonlyArray<Fault> => {
  return [
    fault(
      "the feed stalls",
      Effect.zipRight(
        done((some) => feed.stall(some), 2000),
        awhile(0, 500)
      )
    ),
    fault(
      "the simulator is killed",
      done((some) => feed.vanish(some), 1500)
    ),
    fault(
      "the feed half-closes",
      Effect.sync(() => feed.halfClose())
    ),
    fault(
      "the feed floods",
      done((some) => feed.flood(some * 1000), 20)
    ),
    fault(
      "the feed repeats",
      done((some) => feed.repeat(some), 300)
    ),
    fault(
      "the feed goes back",
      done((some) => feed.goBack(some), 300)
    ),
    fault(
      "the feed lies",
      Effect.map(oneOf(lies), (lie) => feed.lie(lie))
    ),
    fault(
      "the session changes",
      Effect.sync(() => feed.nextSession())
    )
  ]
}

/** A process is paused, as by a debugger or a suspended machine, and goes on. */
const stopped = (pid: number) =>
  Effect.acquireUseRelease(
    Effect.sync(() => process.kill(pid, "SIGSTOP")),
    () => awhile(50, 1500),
    () => Effect.sync(() => alive(pid) && process.kill(pid, "SIGCONT"))
  )

export const serviceStops = (service: () => Running): Fault =>
  fault(
    "the service stands still",
    Effect.suspend(() => stopped(service().child.pid!))
  )

/** A random process with a matching name, of a service that has several. */
const processNamed = (service: () => Running, name: RegExp) =>
  Effect.flatMap(
    Effect.sync(() => [...processesOf(service())].filter(([one]) => name.test(one)).map(([, pid]) => pid)),
    oneOf
  )

const kill = (pid: number) => void process.kill(pid, "SIGKILL")

export const processFaults = (service: () => Running): ReadonlyArray<Fault> => [
  fault("a worker is killed", Effect.map(processNamed(service, /^worker/), kill)),
  {
    ...fault("the recorder is killed", Effect.map(processNamed(service, /^recorder/), kill)),
    endsRecording: true
  },
  fault("a worker or the recorder stands still", Effect.flatMap(processNamed(service, /./), stopped))
]

/** A fault during which nothing can be stored. */
export interface Stall {
  readonly name: string
  readonly begin: Effect.Effect<void>
  readonly end: Effect.Effect<void>
}

const lasting = ({ begin, end, name }: Stall, least: number, most: number): Fault =>
  fault(
    name,
    Effect.acquireUseRelease(
      begin,
      () => awhile(least, most),
      () => end
    )
  )

/** Another program holds the write lock of the service's file. */
export const fileHeld = (data: string): Stall => {
  let file: DatabaseSync | undefined
  return {
    name: "another program has the file",
    begin: Effect.sync(() => {
      file = openSqlite(join(data, "telemetry.sqlite"), { timeout: 60_000 })
      file.exec("BEGIN IMMEDIATE")
    }),
    end: Effect.sync(() => void file?.close())
  }
}

interface Server {
  readonly kill: Effect.Effect<void>
  readonly start: Effect.Effect<void>
  readonly stop?: Effect.Effect<void>
  readonly goOn?: Effect.Effect<void>
}

export const standsStill = (name: string, begin: Effect.Effect<void>, end: Effect.Effect<void>): Stall => ({
  name: `${name} stands still`,
  begin,
  end
})

export const serverFaults = (name: string, { goOn, kill, start, stop }: Server): ReadonlyArray<Fault> => [
  fault(`${name} is killed`, Effect.zipRight(Effect.zipRight(kill, awhile(0, 2000)), start)),
  ...(stop === undefined || goOn === undefined ? [] : [lasting(standsStill(name, stop, goOn), 50, 4000)])
]

/** The file system of `folder`, a small one of the test's own, has no byte left for a while. */
export const diskFull = (folder: string): Fault =>
  lasting(
    {
      name: "the disk is full",
      begin: Effect.sync(() => {
        const { bavail, bsize } = statfsSync(folder)
        try {
          writeFileSync(join(folder, "filler"), Buffer.alloc(bavail * bsize))
        } catch {
          // The service took the space meanwhile: the disk is as full as it can be.
        }
      }),
      end: Effect.sync(() => rmSync(join(folder, "filler"), { force: true }))
    },
    50,
    3000
  )

/** The service's clock is set by `file`, through libfaketime; the machine's own is unchanged. */
export const clockJumps = (file: string): Fault =>
  fault(
    "the clock jumps",
    Effect.map(Effect.all([oneOf([60, 3600, 86_400]), oneOf([-1, 1])]), ([seconds, direction]) => {
      const now = Number(readFileSync(file, "utf8"))
      const next = now + direction * seconds
      writeFileSync(file, `${next < 0 ? "" : "+"}${next}`)
    })
  )
