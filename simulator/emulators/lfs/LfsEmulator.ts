/** The sockets of the emulated Live for Speed: a TCP server for InSim, and a UDP socket for its datagrams. */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { Effect, type Scope } from "effect"
import { CannotListen } from "../../feed/FeedServer.ts"
import type { EmulatorKind, Scene, ServeOptions } from "../Emulator.ts"
import { bound, through } from "../udp.ts"
import { type GameOptions, LfsGame } from "./LfsGame.ts"
import { WORLD } from "./outputs.ts"

/** A server until the scope ends, and the handler of its connections. */
export const listen = (host: string, port: number, onSocket: (socket: Socket) => void) =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>()
    return yield* Effect.acquireRelease(
      Effect.async<Server, CannotListen>((resume) => {
        const server = createServer({ noDelay: true }, (socket) => {
          sockets.add(socket)
          socket.on("close", () => sockets.delete(socket))
          // A close follows every error; without a listener the error would end the process.
          socket.on("error", () => undefined)
          onSocket(socket)
        })
        server.once("error", (cause) => resume(new CannotListen({ host, port, cause })))
        server.listen(port, host, () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.async<void>((resume) => {
          for (const socket of sockets) socket.destroy()
          server.close(() => resume(Effect.void))
        })
    )
  })

/** Serves a game until the scope ends. */
export const serveGame = Effect.fn("simulate.serveLfs")(function* (
  make: (scene: Scene) => LfsGame,
  { drive, host, port, scene, spoil }: ServeOptions
): Effect.fn.Return<{ readonly host: string; readonly port: number }, CannotListen, Scope.Scope> {
  const game = make(scene)
  const server = yield* listen(host, port, (socket) => {
    const address = socket.remoteAddress ?? host
    const client = game.connect({
      tcp: (bytes) => void (socket.writable && socket.write(bytes)),
      udp: (bytes, to) => send(bytes, { address, port: to }),
      close: () => socket.end()
    })
    socket.on("data", (chunk) => client.heard(chunk))
    socket.on("close", () => client.close())
  })
  const at = server.address() as AddressInfo
  // From the address that the client connected to, because the client accepts no other.
  const udp = yield* bound(at.address, 0)
  const send = spoil((bytes, to) => {
    if (to !== undefined) through(udp, bytes, to.port, to.address)
  })
  yield* Effect.forkScoped(drive((frame) => game.frame(frame)))
  return { host, port: at.port }
})

const kind =
  (options: Partial<GameOptions>): EmulatorKind["serve"] =>
  (serve) =>
    serveGame((scene) => new LfsGame(scene, options), serve)

export const lfs: EmulatorKind = {
  protocol: "lfs",
  port: 29_999,
  simulator: "lfs",
  world: WORLD,
  scheme: "tcp",
  serve: kind({ outSim: "full" })
}
