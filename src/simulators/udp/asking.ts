/**
 * Drivers of simulators that must be asked: the driver greets until an answer comes, then hears the simulator for as long
 * as it sends.
 */
import type { RemoteInfo, Socket } from "node:dgram"
import { Deferred, Effect, FiberId, Layer, type Scope } from "effect"
import { SimulatorRefused } from "../../domain/errors.ts"
import { Timing } from "../../platform/Timing.ts"
import { Drivers, type Link, type LinkOptions, type OpenFailure } from "../Driver.ts"
import { targetsOf } from "../targets.ts"
import { recall } from "./memory.ts"
import type { AskedProtocol } from "./Protocol.ts"
import { Receiver } from "./Receiver.ts"
import { SharedSockets } from "./SharedSockets.ts"
import { bind, plainAddress, errorCode, senderOf } from "./UdpSocket.ts"

const connected = (options: LinkOptions, socket: Socket, address: string) =>
  Effect.async<void, SimulatorRefused>((resume) => {
    socket.connect(options.port, address, (cause?: Error) => {
      const { host, port } = options
      resume(
        cause === undefined
          ? Effect.void
          : new SimulatorRefused({ address: { host, port }, reason: errorCode(cause) })
      )
    })
  })

const open = (sockets: SharedSockets["Type"], protocol: AskedProtocol) =>
  Effect.fn("asking.open")(function* (
    options: LinkOptions
  ): Effect.fn.Return<Link, OpenFailure, Scope.Scope> {
    const { port } = options
    const timing = yield* Timing
    const address = plainAddress((yield* targetsOf(options))[0]!.address)
    const local = address.includes(":") ? "::" : "0.0.0.0"
    const answersTo = protocol.answersTo?.(port)
    const forward = yield* sockets.forwarder(options, answersTo)
    if (answersTo !== undefined) yield* sockets.own(options, answersTo)
    const answered = Deferred.unsafeMake<void, SimulatorRefused>(FiberId.none)
    const failed = (reason: string) => {
      const refused = new SimulatorRefused({ address: { host: options.host, port }, reason })
      Deferred.unsafeDone(answered, Effect.fail(refused))
      receiver.lose(reason)
    }
    let socket: Socket | undefined
    const sending = new Set<Promise<void>>()
    const game = recall(options.memory, protocol.name, timing.now() / 1000, () =>
      protocol.conversation(options)
    )
    const conversation = game.interpreter
    conversation.open((bytes) => {
      const sent = new Promise<void>((resolve) => {
        const done = (cause: NodeJS.ErrnoException | null) => {
          if (cause !== null) failed(errorCode(cause))
          resolve()
        }
        if (answersTo === undefined) socket?.send(bytes, done)
        else socket?.send(bytes, port, address, done)
      })
      sending.add(sent)
      void sent.then(() => sending.delete(sent))
    })
    const receiver = new Receiver(conversation, timing, forward, game.events)
    // A game that answers to a fixed port may do so from any of its ports.
    const isTheGame = (sender: RemoteInfo) =>
      plainAddress(sender.address) === address && (answersTo !== undefined || sender.port === port)
    const hearing = {
      local,
      onDatagram: (bytes: Buffer, sender: RemoteInfo) => {
        if (!isTheGame(sender)) return receiver.foreign(senderOf(sender))
        game.hear(timing.now() / 1000)
        const isRead = receiver.hearFrom(senderOf(sender), bytes)
        const state = conversation.state()
        if (state._tag === "Answered") Deferred.unsafeDone(answered, Effect.void)
        else if (state._tag === "Refused") failed(state.reason)
        else if (!isRead) options.onUnexpected?.(bytes.length, undefined)
      },
      onError: failed
    }
    if (answersTo !== undefined) {
      socket = yield* bind(options, { ...hearing, port: answersTo, shared: false })
    } else {
      // A connected socket gets an error when no program listens on the other side, but it hears its peer only. A second socket
      // on its port hears the datagrams of others, so that they are counted.
      socket = yield* bind(options, { ...hearing, port: 0, shared: true })
      yield* connected(options, socket, address)
      yield* bind(options, { ...hearing, port: socket.address().port, shared: true })
    }
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => {
        conversation.sendDisconnect()
        // A closed socket drops what it has not sent yet.
        return Promise.all(sending)
      })
    )
    yield* Effect.sync(() => {
      // Before the first answer, the time-out of the connect decides.
      receiver.passSecond(conversation.state()._tag === "Answered" ? protocol.silentAfter : Infinity)
      conversation.tick(timing.now() / 1000)
    }).pipe(Effect.zipRight(Effect.sleep("1 second")), Effect.forever, Effect.forkScoped)
    yield* Deferred.await(answered)
    return { simulator: conversation.simulator(), deliverTo: receiver.deliverTo }
  })

/** A driver that asks, added to the registry. */
export const asking = (protocol: AskedProtocol) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const drivers = yield* Drivers
      const { name, options = {}, ports } = protocol
      drivers.register({
        name,
        ports,
        options,
        reliable: false,
        reaches: true,
        forwards: true,
        open: open(yield* SharedSockets, protocol)
      })
    })
  )
