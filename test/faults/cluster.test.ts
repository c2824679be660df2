/** Services on several machines that share what is live through NATS: docs/scaling.md. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Message, subscribe } from "../blackbox/subscriber.ts"
import * as Box from "../support/processes.ts"
import { nats, natsHere } from "../support/servers/nats.ts"
import { postgresHere, sharedPostgres } from "../support/servers/postgres.ts"
import { questdbHere, sharedQuestdb } from "../support/servers/questdb.ts"
import { needing } from "../support/needing.ts"
import { endlessDrive } from "./endlessDrive.ts"

type Counted = Message & { readonly sequence: number; readonly left_out: number }

const countedOf = (messages: ReadonlyArray<Message>) =>
  messages.filter((message): message is Counted => message.type === "telemetry")

/** What `sequence` does not explain: points that were neither sent nor left out on purpose, and points that came twice. */
const unexplained = (messages: ReadonlyArray<Message>) =>
  countedOf(messages).flatMap(({ left_out, sequence }, at, all) => {
    const before = at === 0 ? sequence - left_out - 1 : all[at - 1]!.sequence
    // The first after a replay counts also points that the replay has sent.
    const isNext = sequence > before && sequence - left_out - 1 <= before
    return isNext ? [] : [{ before, sequence, left_out }]
  })

const newest = (messages: ReadonlyArray<Message>) =>
  Effect.sync(() => countedOf(messages).at(-1)?.sequence ?? 0)

const goesOn = (messages: ReadonlyArray<Message>, points = 50) =>
  Effect.flatMap(newest(messages), (now) => Box.until(newest(messages), (later) => later > now + points))

/** Messages of rows that all nodes have sent to others. */
const messagesOf = (service: Box.Running) =>
  Effect.promise(async () => {
    const text = await (await fetch(`${service.address}/metrics`)).text()
    const counts = [...text.matchAll(/^telemetry_relay_messages_total\{node="[^"]+"\} (\S+)$/gm)]
    expect(counts).toHaveLength(3)
    return counts.reduce((sum, [, count]) => sum + Number(count), 0)
  })

describe("nodes of a cluster", needing(natsHere, postgresHere, questdbHere), () => {
  it.scopedLive(
    "share live points, commands and the status, and heal what a bus that was away has lost",
    () =>
      Effect.gen(function* () {
        const postgres = yield* sharedPostgres
        const questdb = yield* sharedQuestdb
        const bus = yield* nats()
        const flags = ["--points", questdb.url, "--catalog", postgres.url, "--relay", bus.url]
        const start = Effect.flatMap(Box.folder, (data) => Box.startService(data, ...flags))
        const [a, b, c] = [yield* start, yield* start, yield* start]
        yield* Box.connect(a, yield* endlessDrive)
        const recording = yield* Box.until(Box.connectionOf(b), (one) => (one?.points_stored ?? 0) > 100)
        const session = recording!.session_id!

        // Nobody else wants points yet, so none is sent.
        expect(yield* messagesOf(a)).toBe(0)

        const query = `?session_id=${session}&sequence=1&since=0`
        const ofA = yield* subscribe(a, query)
        const ofB = yield* subscribe(b, query)
        for (const { messages } of [ofA, ofB]) yield* goesOn(messages)

        // A node that stands still holds up nobody, and goes on where it was.
        const ofC = yield* subscribe(c, query)
        yield* goesOn(ofC.messages)
        c.child.kill("SIGSTOP")
        for (let times = 0; times < 10; times++) yield* goesOn(ofB.messages, 100)
        c.child.kill("SIGCONT")
        yield* goesOn(ofC.messages)

        // The bus goes away: each node serves what it records, and the others make up for it when it is back.
        yield* bus.kill
        for (let times = 0; times < 5; times++) yield* goesOn(ofA.messages, 100)
        expect(yield* Box.ask(a, "GET", "/health")).toMatchObject({ status: 200, body: { relay: "away" } })
        yield* bus.start
        for (const { messages } of [ofA, ofB, ofC]) {
          const now = yield* newest(ofA.messages)
          yield* Box.until(newest(messages), (later) => later > now)
          expect(unexplained(messages)).toEqual([])
        }
        const { messages } = ofA
        expect(messages.filter(({ type }) => type === "replay")).toHaveLength(1)
        expect(ofB.messages.filter(({ type }) => type === "replay").length).toBeGreaterThan(1)

        // An event that the bus has lost is announced once it is back.
        const events = yield* subscribe(b, "?events=session")
        const sessionsOf = Effect.sync(() => events.messages.filter(({ type }) => type === "session"))
        yield* bus.kill
        expect((yield* Box.ask(a, "POST", "/disconnect")).status).toBe(200)
        yield* bus.start
        yield* Box.until(sessionsOf, ({ length }) => length > 0)
        expect((yield* sessionsOf).map((event) => event.session_id)).toEqual([session])

        // A command reaches the node that it concerns.
        yield* Box.connect(a, yield* endlessDrive)
        yield* Box.until(Box.connectionOf(b), (one) => (one?.points_stored ?? 0) > 0)
        expect((yield* Box.ask(b, "POST", "/disconnect")).status).toBe(200)
        yield* Box.until(Box.connectionOf(a), (one) => one === undefined)
      })
  )

  it.scopedLive("are refused without servers that they share", () =>
    Effect.gen(function* () {
      const data = yield* Box.folder
      const alone = yield* Box.run("main.js", ["--data", data, "--relay", "nats://127.0.0.1:4222"])
      expect([alone.code, alone.errors]).toEqual([2, expect.stringContaining("--relay needs --catalog")])
    })
  )
})
