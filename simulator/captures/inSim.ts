/** Plays a capture of Live for Speed: it answers over InSim, a TCP connection, and sends over that and over UDP. */
import type { AddressInfo, Socket } from "node:net"
import { Effect, FiberMap, Stream } from "effect"
import { heard, sent } from "../../src/simulators/drivers/lfs/insim.ts"
import { PacketStream } from "../../src/simulators/drivers/lfs/PacketStream.ts"
import { listen } from "../emulators/lfs/LfsEmulator.ts"
import { bound, resolve, through } from "../emulators/udp.ts"
import { capturedIn } from "./Captured.ts"
import { answered, type CaptureOptions, endingWith, handedOver, type Over, play } from "./play.ts"

/** A new client first asks for the state; a race that was captured from its start goes on meanwhile, ms. */
const ASKED_WITHIN_MS = 700

const askedBy = (packet: Buffer) => {
  if (packet[1] === sent.ISI.type) return "ISI"
  return packet[1] === heard.TINY.type ? packet[3] : undefined
}

export const answeringInSim = Effect.fn("simulate.answeringInSim")(function* (
  options: CaptureOptions,
  port: number,
  over: Over
) {
  const { file, host } = options
  const address = yield* resolve(host, port)
  // These answers come first.
  const answers = yield* Stream.runCollect(
    Stream.takeWhile(capturedIn(file), ({ answers }) => answers !== undefined)
  )
  const run = yield* FiberMap.runtime(yield* FiberMap.make<Socket>())<never>()
  const played = new Set<string>()

  const answer = (socket: Socket, packet: Buffer) => {
    const asked = askedBy(packet)
    for (const { answers: request, bytes } of answers) {
      if (request !== asked) continue
      // An answer has the number of its request.
      const reply = Buffer.from(bytes)
      reply[2] = packet[2]!
      socket.write(reply)
    }
  }

  const server = yield* listen(address, port, (socket) => {
    const client = socket.remoteAddress
    // The player left the game.
    if (client === undefined || played.has(client)) return void socket.destroy()
    const whole = (to: number) =>
      play(options, ({ bytes, via }) => {
        if (via === "udp") through(udp, bytes, to, client)
        else if (socket.writable) socket.write(bytes)
      }).pipe(
        Effect.delay(ASKED_WITHIN_MS),
        Effect.zipLeft(handedOver(udp)),
        Effect.zipLeft(Effect.repeat(answered, { until: () => socket.writableLength === 0 })),
        Effect.tap(() => {
          played.add(client)
          socket.end()
        }),
        endingWith(over)
      )
    const packets = new PacketStream()
    socket.on("data", (chunk) => {
      const heardNow = packets.push(chunk)
      if (heardNow === undefined) return void socket.destroy()
      for (const packet of heardNow) {
        answer(socket, packet)
        if (packet[1] === sent.ISI.type)
          run(socket, whole(sent.ISI.read.UDPPort(packet)), { onlyIfMissing: true })
      }
    })
    socket.on("close", () => run(socket, Effect.void))
  })
  const at = server.address() as AddressInfo
  // From the address that the client connected to, because the client accepts no other.
  const udp = yield* bound(at.address, 0)
  return at.port
})
