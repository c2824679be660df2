import { createSocket, type Socket } from "node:dgram"
import { expect, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import type { Emulator, Frame, ServeOptions } from "../../../simulator/emulators/Emulator.ts"
import { answering, pushing } from "../../../simulator/emulators/udp.ts"
import { scene } from "../../simulators/drivers/emulating.ts"

const socketOf = (hear: (text: string, socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.async<Socket>((resume) => {
      const socket = createSocket("udp4")
      socket.on("message", (bytes) => hear(bytes.toString(), socket))
      socket.bind(0, "127.0.0.1", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.close())
  )

const options = (more: Partial<ServeOptions>): ServeOptions => ({
  scene,
  host: "127.0.0.1",
  port: 0,
  drive: () => Effect.never,
  spoil: (send) => send,
  ...more
})

/** Greets every client that sends a message, and sends it every frame. */
const greeting = (): Emulator => {
  const clients: Array<{ readonly address: string; readonly port: number }> = []
  const reused = Buffer.from("frame")
  return {
    heard: (bytes, from, send) => {
      clients.push(from)
      send(Buffer.from(`hello ${bytes.toString()}`), from)
    },
    frame: (_, send) => {
      send(Buffer.from("to nobody"))
      for (const client of clients) send(reused, client)
      reused.fill("#")
      reused.write("frame")
    }
  }
}

it.scopedLive("an answering emulator greets every client, and sends frames to those that it knows", () =>
  Effect.gen(function* () {
    let tick: ((frame: Frame) => void) | undefined
    const { host, port } = yield* answering(greeting)(
      options({
        drive: (onFrame) => {
          tick = onFrame
          return Effect.never
        },
        spoil: (send) => (bytes, to) => send(Buffer.concat([bytes, Buffer.from("!")]), to)
      })
    )
    expect(host).toBe("127.0.0.1")
    for (const name of ["one", "two"]) {
      const done = yield* Deferred.make<ReadonlyArray<string>>()
      const received: Array<string> = []
      const client = yield* socketOf((text) => {
        received.push(text)
        if (received.length === 1) tick?.({} as Frame)
        if (received.length === 2) Deferred.unsafeDone(done, Effect.succeed(received))
      })
      client.send(name, port, host)
      expect(yield* Deferred.await(done)).toEqual([`hello ${name}!`, "frame!"])
    }
  })
)

it.scopedLive("a pushing emulator sends to its port, from another", () =>
  Effect.gen(function* () {
    const done = yield* Deferred.make<string>()
    const listener = yield* socketOf((text) => Deferred.unsafeDone(done, Effect.succeed(text)))
    const { port } = listener.address()
    const at = yield* pushing(() => ({ frame: (_, send) => send(Buffer.from("pushed")) }))(
      options({
        host: "localhost",
        port,
        drive: (onFrame) =>
          Effect.zipRight(
            Effect.sync(() => onFrame({} as Frame)),
            Effect.never
          )
      })
    )
    expect(at).toEqual({ host: "localhost", port })
    expect(yield* Deferred.await(done)).toBe("pushed")
  })
)

it.scopedLive("an emulator fails if its port is in use, or its host does not exist", () =>
  Effect.gen(function* () {
    const { port } = (yield* socketOf(() => {})).address()
    const silent = answering(() => ({ frame: () => {} }))
    const taken = yield* Effect.flip(silent(options({ port })))
    expect(taken).toMatchObject({ _tag: "CannotListen", port, cause: { code: "EADDRINUSE" } })
    const nowhere = yield* Effect.flip(
      pushing(() => ({ frame: () => {} }))(options({ host: "no-such-host.invalid" }))
    )
    expect(nowhere).toMatchObject({ _tag: "CannotListen", host: "no-such-host.invalid" })
  })
)
