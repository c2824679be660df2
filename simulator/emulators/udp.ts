/** The sockets of emulators over UDP. */
import { createSocket, type Socket } from "node:dgram"
import { lookup } from "node:dns/promises"
import { isIPv6 } from "node:net"
import { Effect, Runtime, type Scope } from "effect"
import { CannotListen } from "../feed/FeedServer.ts"
import type { Emulator, EmulatorKind, Scene, Send, ServeOptions } from "./Emulator.ts"

/** The first address of a host. */
export const resolve = (host: string, port: number) =>
  Effect.tryPromise({
    try: () => lookup(host, { verbatim: false }),
    catch: (cause) => new CannotListen({ host, port, cause })
  }).pipe(Effect.map(({ address }) => address))

/** A socket until the scope ends, bound to an address of this machine. Its first later error is logged. */
export const bound = (host: string, port: number) =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime()
    return yield* Effect.acquireRelease(
      Effect.async<Socket, CannotListen>((resume) => {
        const socket = createSocket(isIPv6(host) ? "udp6" : "udp4")
        socket.once("error", (cause) => resume(new CannotListen({ host, port, cause })))
        socket.bind(port, host, () => {
          let failures = 0
          socket.removeAllListeners("error")
          socket.on("error", (cause) => {
            if (failures++ === 0) Runtime.runFork(runtime)(Effect.logWarning(`Cannot send: ${cause.message}`))
          })
          resume(Effect.succeed(socket))
        })
      }),
      (socket) =>
        Effect.async<void>((resume) => {
          socket.close(() => resume(Effect.void))
        })
    )
  })

/** A free port: bound for a moment. */
export const freePort = (host: string) =>
  Effect.scoped(Effect.map(bound(host, 0), (socket) => socket.address().port))

/** Runs the emulator over a socket until the scope ends. */
const run = (emulator: Emulator, socket: Socket, { drive, spoil }: ServeOptions, raw: Send) => {
  const send = spoil(raw)
  socket.on("message", (bytes, { address, port }) => emulator.heard?.(bytes, { address, port }, send))
  return Effect.forkScoped(drive((frame) => emulator.frame(frame, send)))
}

/** Copied: a socket sends a little later, when the emulator may already have reused the bytes. */
export const through = (socket: Socket, bytes: Uint8Array, port: number, address: string) =>
  socket.send(Buffer.from(bytes), port, address)

/** Sends to the given host and port, from any port: for simulators that push. Port 0: any free one. */
export const pushing = (make: (scene: Scene) => Emulator): EmulatorKind["serve"] =>
  Effect.fn("simulate.pushing")(function* (
    options: ServeOptions
  ): Effect.fn.Return<{ readonly host: string; readonly port: number }, CannotListen, Scope.Scope> {
    const { host } = options
    const address = yield* resolve(host, options.port)
    const port = options.port === 0 ? yield* freePort(address) : options.port
    const socket = yield* bound(isIPv6(address) ? "::" : "0.0.0.0", 0)
    socket.setBroadcast(true)
    yield* run(make(options.scene), socket, options, (bytes, to) =>
      through(socket, bytes, to?.port ?? port, to?.address ?? address)
    )
    return { host, port }
  })

/** Listens on the given host and port, and sends to the clients that the emulator names: for simulators that send on request. */
export const answering = (make: (scene: Scene) => Emulator): EmulatorKind["serve"] =>
  Effect.fn("simulate.answering")(function* (
    options: ServeOptions
  ): Effect.fn.Return<{ readonly host: string; readonly port: number }, CannotListen, Scope.Scope> {
    const { host } = options
    const socket = yield* bound(yield* resolve(host, options.port), options.port)
    yield* run(make(options.scene), socket, options, (bytes, to) => {
      if (to !== undefined) through(socket, bytes, to.port, to.address)
    })
    return { host, port: socket.address().port }
  })
