/**
 * Live for Speed's sockets: TCP to InSim, and one UDP port of ours for all frequent packets.
 *
 * The link is open when LFS has answered with its version. It is lost when TCP ends, or when nothing came for as
 * long as LFS itself would wait.
 */
import type { LookupAddress } from "node:dns"
import type { Socket } from "node:net"
import { Deferred, Effect, FiberId, type Scope } from "effect"
import { NotASimulator, SimulatorRefused } from "../../../domain/errors.ts"
import { Timing } from "../../../platform/Timing.ts"
import { Receiver } from "../../udp/Receiver.ts"
import { bind, plainAddress, errorCode, senderOf } from "../../udp/UdpSocket.ts"
import { type Driver, type Link, type LinkOptions, type OpenFailure, registered } from "../../Driver.ts"
import { connectTo, targetsOf } from "../../targets.ts"
import { LfsConversation } from "./LfsConversation.ts"
import { options } from "./options.ts"

export { options }

const NAME = "lfs"
/** The usual choice of players; LFS has no default. */
const PORT = 29_999
/** LFS sends something every 30 s, and drops a client that is silent for this long, s. */
const SILENT_AFTER_S = 70
/** How long the simulator may take to close, ms. */
const CLOSE_WITHIN_MS = 1000

const dial = (options: LinkOptions, targets: ReadonlyArray<LookupAddress>) => {
  const socket = connectTo(options, targets)
  const opened = new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve)
    socket.once("error", reject)
  })
  opened.catch(() => undefined)
  // An error without a listener would end the process. A close event follows, which has a listener.
  socket.on("error", () => undefined)
  return { socket, opened }
}

/** Data that was written is still sent. */
const close = (socket: Socket) =>
  Effect.async<void>((resume) => {
    if (socket.connecting || socket.destroyed) {
      socket.destroy()
      return resume(Effect.void)
    }
    const giveUp = setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS)
    socket.once("close", () => {
      clearTimeout(giveUp)
      resume(Effect.void)
    })
    socket.end()
    // Only a socket that is read reports the other side's end.
    socket.resume()
  })

/** Only the creation of the socket is uninterruptible: a handshake that hangs must not keep the caller from giving up. */
const openSocket = Effect.fn("LfsDriver.openSocket")(function* (options: LinkOptions) {
  const { host, port } = options
  const targets = yield* targetsOf(options)
  const { opened, socket } = yield* Effect.acquireRelease(
    Effect.sync(() => dial(options, targets)),
    ({ socket }) => close(socket)
  )
  yield* Effect.tryPromise({
    try: () => opened,
    catch: (cause) => new SimulatorRefused({ address: { host, port }, reason: errorCode(cause) })
  })
  return socket
})

const open = Effect.fn("LfsDriver.open")(function* (
  options: LinkOptions
): Effect.fn.Return<Link, OpenFailure, Scope.Scope> {
  const { host, port } = options
  const address = { host, port }
  const answered = Deferred.unsafeMake<void, SimulatorRefused | NotASimulator>(FiberId.none)
  const socket = yield* openSocket(options)
  const remote = plainAddress(socket.remoteAddress ?? host)
  const conversation = new LfsConversation(options, (bytes) => {
    if (socket.writable) socket.write(bytes)
  })
  const stream = { datagram: conversation.stream.bind(conversation) }
  const receiver = new Receiver(conversation, yield* Timing)
  const failed = (error: SimulatorRefused | NotASimulator) => {
    Deferred.unsafeDone(answered, Effect.fail(error))
    receiver.lose(error.reason)
  }
  const closed = () => {
    const reason =
      conversation.state()._tag === "Waiting"
        ? "closed the connection during the handshake (is the admin password right?)"
        : "closed the connection"
    failed(new SimulatorRefused({ address, reason }))
  }
  socket.once("close", closed)
  // The socket may have closed before the listener was added.
  if (socket.closed) closed()
  const udp = yield* bind(options, {
    local: remote.includes(":") ? "::" : "0.0.0.0",
    port: 0,
    shared: false,
    onDatagram: (bytes, sender) => {
      if (plainAddress(sender.address) !== remote) return receiver.foreign(senderOf(sender))
      // LFS sends each of its outputs from another socket.
      receiver.hearFrom(senderOf(sender), bytes, conversation.kindOf(bytes))
    },
    onError: (reason) => receiver.lose(reason)
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => conversation.sendDisconnect()))
  yield* Effect.sync(() => receiver.passSecond(SILENT_AFTER_S)).pipe(
    Effect.delay("1 second"),
    Effect.forever,
    Effect.forkScoped
  )
  // The socket keeps the bytes that came before this listener.
  socket.on("data", (chunk) => {
    receiver.hear(chunk, stream)
    const state = conversation.state()
    if (state._tag === "Answered") Deferred.unsafeDone(answered, Effect.void)
    else if (state._tag === "Refused") failed(new SimulatorRefused({ address, reason: state.reason }))
    else if (state._tag === "Broken") {
      failed(new NotASimulator({ address, simulator: NAME, reason: state.reason }))
      socket.destroy()
    }
  })
  conversation.greet(udp.address().port)
  yield* Deferred.await(answered)
  return { simulator: conversation.simulator(), deliverTo: receiver.deliverTo }
})

const driver: Driver = {
  name: NAME,
  ports: [PORT],
  options,
  reliable: false,
  reaches: true,
  forwards: false,
  open
}

export const layer = registered(driver)
