/** Three simulators share one port: the driver distinguishes them by their bytes, on real sockets and in any order. */
import { createSocket } from "node:dgram"
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, Layer, Stream } from "effect"
import type { Emulator } from "../../../simulator/emulators/Emulator.ts"
import { DirtRally2Emulator } from "../../../simulator/emulators/dirt-rally-2/emulator.ts"
import { EaWrcEmulator } from "../../../simulator/emulators/ea-wrc/emulator.ts"
import { F1Emulator } from "../../../simulator/emulators/f1/F1Emulator.ts"
import { Frames } from "../../../simulator/emulators/frames.ts"
import { SharedSockets } from "../../../src/simulators/udp/SharedSockets.ts"
import { Drivers } from "../../../src/simulators/Driver.ts"
import { listening } from "../../../src/simulators/udp/listening.ts"
import * as Codemasters from "../../../src/simulators/drivers/codemasters/CodemastersDriver.ts"
import { built, freePort } from "../udp/udp.ts"
import { framesOptions, scene } from "./emulating.ts"
import { linkOptions } from "./interpreting.ts"
import { linkEvents } from "../sinks.ts"
import { isPoints } from "../rows.ts"

const games: Readonly<Record<string, () => Emulator>> = {
  f1: () => new F1Emulator(scene, 2024),
  "dirt-rally-2": () => new DirtRally2Emulator(scene),
  "ea-wrc": () => new EaWrcEmulator(scene)
}
const names = Object.keys(games)
const orders = names.flatMap((one) =>
  names
    .filter((two) => two !== one)
    .map((two) => [one, two, names.find((n) => n !== one && n !== two)!] as const)
)

/** All datagrams of a game's first second. */
const sent = (game: string): ReadonlyArray<Buffer> => {
  const frames = new Frames(framesOptions())
  const emulator = games[game]!()
  const datagrams: Array<Buffer> = []
  for (let n = 0; n < 60; n++) emulator.frame(frames.next(), (bytes) => datagrams.push(Buffer.from(bytes)))
  return datagrams
}

describe("the port that F1, DiRT Rally 2.0 and WRC share", () => {
  it.scoped("has one driver that distinguishes them", () =>
    Effect.gen(function* () {
      const layer = Layer.provideMerge(Codemasters.layer, Layer.mergeAll(Drivers.layer, SharedSockets.layer))
      const context = yield* Layer.build(layer)
      const drivers = yield* Drivers.pipe(Effect.provide(context))
      expect((yield* drivers.find(undefined, 20777)).name).toBe("codemasters")
    })
  )

  it("has no datagram that two of them accept", () => {
    for (const game of names) {
      for (const bytes of sent(game)) {
        const takers = Codemasters.protocols.filter((protocol) => protocol.recognises(bytes))
        expect(takers.map(({ name }) => name)).toEqual([game])
      }
    }
    // In F1's format of 2024 there is a packet as long as WRC's, whatever is in it.
    const motionEx = Buffer.alloc(237)
    motionEx.writeUInt16LE(2024, 0)
    motionEx[5] = 1
    motionEx[6] = 13
    expect(Codemasters.protocols.filter((one) => one.recognises(motionEx)).map(({ name }) => name)).toEqual([
      "f1"
    ])
  })

  it.scoped.each(orders.flatMap((order) => order.map((first) => [first, order] as const)))(
    "receives %s first of the expected games, %o",
    ([first, order]) =>
      Effect.gen(function* () {
        const port = yield* freePort
        const protocols = order.map((name) => Codemasters.protocols.find((one) => one.name === name)!)
        const layer = listening({ name: "codemasters", ports: [], protocols })
        const driver = yield* built(layer, "codemasters")
        const socket = yield* Effect.acquireRelease(
          Effect.sync(() => createSocket("udp4")),
          (one) => Effect.sync(() => one.close())
        )
        const send = (bytes: Buffer) =>
          Effect.async<void>((resume) => {
            socket.send(bytes, port, "127.0.0.1", () => resume(Effect.void))
          })
        const [opener, ...rest] = sent(first)
        const link = yield* Effect.raceFirst(
          driver.open(linkOptions({ port })),
          Effect.forever(
            Effect.zipRight(
              send(opener!),
              Effect.promise(() => new Promise((done) => setTimeout(done, 5)))
            )
          )
        )
        expect(link.driver).toBe(first)
        // The others' datagrams in between are refused, and do no harm.
        const others = order.filter((name) => name !== first).map((name) => sent(name)[0]!)
        for (const bytes of [...others, ...rest]) yield* send(bytes)
        const events = yield* linkEvents(link).pipe(
          Stream.scan({ refused: 0, points: 0 }, ({ points, refused }, event) => ({
            refused: refused + (event._tag === "Refused" ? 1 : 0),
            points: points + (isPoints(event) ? event.batch.length : 0)
          })),
          Stream.takeUntil(({ points, refused }) => refused === 2 && points > 20),
          Stream.runCollect
        )
        expect(Chunk.unsafeLast(events).refused).toBe(2)
      })
  )
})
