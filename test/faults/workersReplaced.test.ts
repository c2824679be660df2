/** Processes of a service that hang are replaced like those that end, and busy ones are not. One service endures all of it. */
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { needing } from "../support/needing.ts"
import { recordingsHere } from "../support/sharedData.ts"
import * as Box from "../support/processes.ts"
import { anchored, OFFICIAL, pointsOf } from "../blackbox/recordedLaps.ts"
import { processesOf } from "../blackbox/serviceProcesses.ts"
import { subscribe } from "../blackbox/subscriber.ts"

/** Longer than a process waits for a core if all of them are busy: several seconds beside a dozen other programs. */
const HUNG_AFTER_S = 20

class Watched extends Context.Tag("test/Watched")<Watched, Box.Running>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.flatMap(Box.folder, (data) =>
      Box.startService(data, "--workers", "2", "--hung-after", String(HUNG_AFTER_S))
    )
  )
}

/** Pauses a process as a debugger does: it exists, and does nothing. */
const stopProcess = (service: Box.Running, name: string) => {
  const pid = processesOf(service).get(name)!
  process.kill(pid, "SIGSTOP")
  return { pid, at: performance.now() }
}

const pidOf = (service: Box.Running, name: string) => Effect.sync(() => processesOf(service).get(name))

/** A worker that does not answer keeps its connection for so long; the next request goes to another. */
const ASK_AGAIN_MS = 10_000

/** A request on a connection of its own; undefined if it is refused, reset, or answered with unavailable. */
const answered = (url: string) =>
  Effect.promise(async () => {
    try {
      const signal = AbortSignal.timeout(ASK_AGAIN_MS)
      const response = await fetch(url, { headers: { connection: "close" }, signal })
      const text = await response.text()
      return response.ok ? text : undefined
    } catch {
      return undefined
    }
  })

const asking = <A>(service: Box.Running, path: string) =>
  Effect.map(answered(`${service.address}/api/v1${path}`), (text) =>
    text === undefined ? undefined : (JSON.parse(text) as A)
  )

/** The number of restarts of each process, once all of them are counted. */
const restarts = (service: Box.Running) =>
  Effect.map(
    Box.until(
      answered(`${service.address}/metrics`),
      (text) =>
        text !== undefined &&
        ["worker-1", "worker-2"].every((name) => text.includes(`subscribers{process="${name}"}`))
    ),
    (text) =>
      Object.fromEntries(
        [...text!.matchAll(/^telemetry_process_restarts_total\{process="(.+)"\} (\d+)$/gm)].map(
          ([, name, count]) => [name, Number(count)]
        )
      )
  )

layer(Watched.layer, { excludeTestServices: true })("a service whose processes hang", (it) => {
  it.scoped("the supervisor replaces a worker that hangs, and no busy process", () =>
    Effect.gen(function* () {
      const service = yield* Watched
      const before = processesOf(service)
      // A process that is paused for less than the limit is left alone.
      const busy = stopProcess(service, "recorder")
      yield* Effect.sleep(`${HUNG_AFTER_S * 0.4} seconds`)
      process.kill(busy.pid, "SIGCONT")
      const { at, pid } = stopProcess(service, "worker-1")
      yield* Box.until(pidOf(service, "worker-1"), (now) => now !== undefined && now !== pid)
      expect(performance.now() - at).toBeGreaterThan(HUNG_AFTER_S * 1000 * 0.8)
      yield* Box.untilLogged(service, `worker-1 has not answered for ${HUNG_AFTER_S} s`)
      expect(yield* restarts(service)).toEqual({ recorder: 0, "worker-1": 1, "worker-2": 0 })
      expect(processesOf(service).get("recorder")).toBe(before.get("recorder"))
    })
  )

  it.scoped(
    "the supervisor replaces a recorder that hangs, which connects again and has lost no acknowledged point",
    () =>
      Effect.gen(function* () {
        const service = yield* Watched
        const first = 1 + (yield* Box.lastSession(service))
        // Long enough to be in the middle of it when the recorder hangs.
        const simulator = yield* Box.startSimulator("--replay", Box.recordingFile(OFFICIAL), "--speed", "400")
        const watcher = yield* subscribe(service, "?events=session")
        yield* Box.connect(service, simulator)
        const counts = yield* Box.stored(service, 1)
        const { pid } = stopProcess(service, "recorder")
        yield* Box.until(pidOf(service, "recorder"), (now) => now !== undefined && now !== pid)

        // Without a request the replay begins again with the new connection, in a session of its own.
        yield* Box.until(
          asking<{ readonly connections: ReadonlyArray<Box.ConnectionCounts> }>(service, "/status"),
          (status) => {
            const connection = status?.connections[0]
            return connection?.session_id === first + 1 && connection.points_stored > 0
          }
        )
        const stored = yield* pointsOf(service, first)
        expect(stored.length).toBeGreaterThanOrEqual(counts!.points_stored)
        expect(stored).toEqual(anchored(Box.readRecording(OFFICIAL)).slice(0, stored.length))
        // The watching client is still connected: the first session was closed, and the second began.
        const sessions = yield* Box.until(
          Effect.sync(() => watcher.messages.filter(({ type }) => type === "session")),
          ({ length }) => length >= 3
        )
        expect(sessions.slice(0, 3).map(({ session_id }) => session_id)).toEqual([first, first, first + 1])
        expect(yield* restarts(service)).toMatchObject({ recorder: 1 })
        expect(yield* service.signal("SIGTERM")).toBe(0)
        expect([1001, 1006]).toContain(yield* watcher.closed)
      }),
    needing(recordingsHere)
  )
})
