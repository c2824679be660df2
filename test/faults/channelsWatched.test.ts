/** A recorder that is killed while live clients watch channels: the clients stay, and get the channels of the next recording. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { processesOf } from "../blackbox/serviceProcesses.ts"
import { type Message, subscribe } from "../blackbox/subscriber.ts"

interface WithChannels extends Message {
  readonly channels?: Readonly<Record<string, number | null>>
}

it.scopedLive("live clients of channels survive the recorder", () =>
  Effect.gen(function* () {
    const service = yield* Box.startService(yield* Box.folder, "--workers", "2")
    const simulator = yield* Box.startSimulator()
    const plain = yield* subscribe(service)
    const watchers = yield* Effect.forEach(["fuel", "tyre_*", "fuel,nothing_of_it"], (names) =>
      subscribe(service, `?channels=${names}`)
    )
    const messagesOf = (watcher: (typeof watchers)[number]) =>
      watcher.messages.filter(({ type }) => type === "telemetry") as ReadonlyArray<WithChannels>
    /** Waits until each watcher has a message of a session after `session`, with a value of each of its existing channels. */
    const watchedValues = (session: number) =>
      Box.until(
        Effect.sync(() =>
          watchers.map((watcher) =>
            messagesOf(watcher).find(
              ({ channels, session_id }) =>
                session_id > session && Object.values(channels ?? {}).some((value) => value !== null)
            )
          )
        ),
        (found) => !found.includes(undefined)
      )
    yield* Box.connect(service, simulator)
    const first = yield* watchedValues(0)
    const pid = processesOf(service).get("recorder")!
    process.kill(pid, "SIGKILL")
    yield* Box.until(
      Effect.sync(() => processesOf(service).get("recorder")),
      (now) => now !== undefined && now !== pid
    )
    const later = yield* watchedValues(first[0]!.session_id)
    for (const found of [first, later]) {
      const [fuel, tyres, some] = found
      expect(Object.keys(fuel!.channels!)).toEqual(["fuel"])
      expect(Object.keys(tyres!.channels!).every((name) => name.startsWith("tyre_"))).toBe(true)
      expect(Object.keys(tyres!.channels!).length).toBeGreaterThan(4)
      expect(some!.channels).toMatchObject({ fuel: expect.any(Number), nothing_of_it: null })
    }
    // No value of the session before belongs to the next: its first samples show its own.
    const session = later[0]!.session_id
    const one = messagesOf(watchers[0]!).find(
      ({ channels, session_id }) => session_id === session && channels!["fuel"] !== null
    )
    yield* Box.until(
      // Refused until the group is stored, which happens with the next commit.
      Box.get<{ readonly points?: ReadonlyArray<{ readonly fuel: number }> }>(
        service,
        `/telemetry/range?session_id=${session}&group=fuel&channels=fuel`
      ),
      ({ points = [] }) => points.some(({ fuel }) => fuel === one!.channels!["fuel"])
    )
    expect(plain.messages.every((message) => !("channels" in message))).toBe(true)
    expect(yield* service.signal("SIGTERM")).toBe(0)
  })
)
