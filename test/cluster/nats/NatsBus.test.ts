/** The bus, on real servers, and on one that only says which version it is. */
import { createServer } from "node:net"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { nkeys } from "@nats-io/transport-node"
import { Effect, Logger } from "effect"
import { type Bus, BusRefused } from "../../../src/cluster/nats/Bus.ts"
import * as NatsBus from "../../../src/cluster/nats/NatsBus.ts"
import { until } from "../../support/processes.ts"
import { nats, natsHere } from "../../support/servers/nats.ts"
import { needing } from "../../support/needing.ts"

const make = (url: string, over: Partial<NatsBus.NatsSettings> = {}) =>
  NatsBus.make({ servers: [url], credentials: undefined, cluster: "test", name: "node", ...over })

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

/** What a bus has heard on a subject. */
const heardBy = ({ subscribe }: Bus, subject: string) => {
  const heard: Array<string> = []
  subscribe(subject, (bytes) => heard.push(text(bytes)))
  return heard
}

const untilTrue = (holds: () => boolean) => until(Effect.sync(holds), (isTrue) => isTrue)

/** A server that says this version, and nothing else. */
const serverOf = (version: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = createServer((socket) => {
          const info = { server_id: "x", version, headers: true, max_payload: 1_048_576, proto: 1 }
          socket.on("error", () => socket.destroy())
          socket.on("data", (data) => data.includes("PING") && socket.write("PONG\r\n"))
          socket.write(`INFO ${JSON.stringify(info)}\r\n`)
        })
        server.listen(0, "127.0.0.1")
        await once(server, "listening")
        return server
      }),
      (server) => Effect.sync(() => server.close())
    ),
    (server) => `nats://127.0.0.1:${(server.address() as AddressInfo).port}`
  )

describe("the bus over NATS", needing(natsHere), () => {
  for (const [version, isRefused] of [
    ["2.9.10", true],
    ["2.10.25", true],
    ["2.10.26", false],
    ["2.11.0-RC.1", false],
    ["3.0.0", false]
  ] as const) {
    it.scopedLive(`${isRefused ? "refuses" : "takes"} nats-server ${version}`, () =>
      Effect.gen(function* () {
        const made = yield* Effect.either(make(yield* serverOf(version)))
        expect(made._tag).toBe(isRefused ? "Left" : "Right")
        if (made._tag === "Left") expect(made.left.reason).toContain(`it is nats-server ${version}, `)
      })
    )
  }

  it.scopedLive("is refused without the server's token, and with another", () =>
    Effect.gen(function* () {
      const { url } = yield* nats('authorization { token: "secret-of-the-cluster" }\n')
      for (const credentials of [undefined, "another"]) {
        const error = yield* Effect.flip(make(url, { credentials }))
        expect(error).toBeInstanceOf(BusRefused)
        expect(error.reason).toMatch(/authorization/i)
      }
      expect((yield* make(url, { credentials: "secret-of-the-cluster" })).isUp()).toBe(true)
    })
  )

  it.scopedLive("connects with an nkey, and logs what the server's permissions refuse", () =>
    Effect.gen(function* () {
      const user = nkeys.createUser()
      const { url } = yield* nats(`authorization { users: [{
        nkey: ${user.getPublicKey()}, permissions: { publish: "tss.>", subscribe: ["_INBOX.>", "tss.test.here"] }
      }] }\n`)
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => logged.push(String(message)))
      const credentials = text(user.getSeed())
      const bus = yield* Effect.provide(
        make(url, { credentials }),
        Logger.replace(Logger.defaultLogger, logger)
      )
      const [heard, refused] = [heardBy(bus, "here"), heardBy(bus, "event")]
      const other = yield* make(url, { credentials })
      yield* untilTrue(() => logged.some((line) => /refuses .*tss\.test\.event/.test(line)))
      for (const subject of ["event", "here"]) other.publish(subject, Buffer.from(subject))
      yield* untilTrue(() => heard.length === 1)
      expect([heard, refused]).toEqual([["here"], []])
      const another = text(nkeys.createUser().getSeed())
      expect((yield* Effect.flip(make(url, { credentials: another }))).reason).toMatch(/authorization/i)
    })
  )

  it.scopedLive("keeps clusters on one server apart", () =>
    Effect.gen(function* () {
      const { url } = yield* nats()
      const [one, same, other] = [yield* make(url), yield* make(url), yield* make(url, { cluster: "other" })]
      const heard = [one, same, other].map((bus) => heardBy(bus, "here"))
      yield* Effect.promise(() => Promise.all([one.flush(), same.flush(), other.flush()]))
      one.publish("here", Buffer.from("1"))
      other.publish("here", Buffer.from("2"))
      yield* Effect.promise(() => Promise.all([one.flush(), other.flush()]))
      one.publish("here", Buffer.from("3"))
      yield* untilTrue(() => heard[1]!.length === 2)
      expect(heard).toEqual([[], ["1", "3"], []])
    })
  )

  it.scopedLive("drops what is sent while the server is away, and hears again when it is back", () =>
    Effect.gen(function* () {
      const server = yield* nats()
      const [sender, receiver] = [yield* make(server.url), yield* make(server.url)]
      const heard = heardBy(receiver, "live.*")
      const changes: Array<boolean> = []
      sender.onChange((isUp) => changes.push(isUp))
      yield* Effect.promise(() => receiver.flush())
      sender.publish("live.1", Buffer.from("before"))
      yield* untilTrue(() => heard.length === 1)
      yield* server.kill
      yield* untilTrue(() => !sender.isUp() && !receiver.isUp())
      sender.publish("live.1", Buffer.from("lost"))
      expect(yield* Effect.flip(sender.request("ask.x", Buffer.from("?"), 1000))).toBeDefined()
      yield* server.start
      yield* untilTrue(() => sender.isUp() && receiver.isUp())
      yield* Effect.promise(() => receiver.flush())
      sender.publish("live.2", Buffer.from("after"))
      yield* untilTrue(() => heard.length === 2)
      expect(heard).toEqual(["before", "after"])
      expect(changes).toEqual([false, true])
    })
  )

  it.scopedLive("is there later if the server starts after the service", () =>
    Effect.gen(function* () {
      const server = yield* nats()
      yield* server.kill
      const bus = yield* make(server.url)
      expect(bus.isUp()).toBe(false)
      const heard = heardBy(bus, "here")
      yield* server.start
      yield* untilTrue(() => bus.isUp())
      const other = yield* make(server.url)
      yield* Effect.promise(() => bus.flush())
      other.publish("here", Buffer.from("hello"))
      yield* untilTrue(() => heard.length === 1)
    })
  )

  it.scopedLive("says at once that nobody answers", () =>
    Effect.gen(function* () {
      const { url } = yield* nats()
      const bus = yield* make(url)
      const { reason } = yield* Effect.flip(bus.request("ask.nobody", Buffer.from("?"), 30_000))
      expect(reason).toMatch(/no responders/i)
    })
  )
})
