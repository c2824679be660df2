/**
 * Drivers of simulators that send without being asked: the driver listens, and the sender of readable bytes is the simulator.
 *
 * Several simulators may send to one port, though only one drives: see Senders.ts.
 *
 * `host` is an address of this machine to listen on, a wildcard, a multicast group to join, or the simulator's address,
 * which is then the only sender. The link is open when a datagram of the protocol came. It cannot be lost by itself; after
 * `SILENT_AFTER_S` without a datagram the driver reports it as lost, so that the session ends in time.
 */
import { Deferred, Effect, FiberId, Layer, type Scope } from "effect"
import { NotASimulator } from "../../domain/errors.ts"
import { Timing, type TimingService } from "../../platform/Timing.ts"
import { type Driver, Drivers, type Link, type LinkOptions, type OpenFailure } from "../Driver.ts"
import type { DriverOptions } from "../driverOptions.ts"
import { SharedSockets } from "./SharedSockets.ts"
import { recall, type RememberedGame } from "./memory.ts"
import { networkOf } from "./origins.ts"
import type { Interpreter, PushProtocol } from "./Protocol.ts"
import { Receiver } from "./Receiver.ts"
import { SILENT_AFTER_S } from "./silence.ts"
import { isLocal, isLoopback, isMulticast, isWildcard, plainAddress, resolve } from "./UdpSocket.ts"

/** If another simulator sends to the port and ours was silent for this long, our link is lost, s. */
const HANDED_OVER_AFTER_S = 5

export interface ListenerOptions {
  readonly name: string
  /** Ports that select this driver if the user names no simulator. */
  readonly ports: ReadonlyArray<number>
  /** The driver's options in a connect. */
  readonly options?: DriverOptions
  /** One protocol, or several that share a port and differ by their bytes. */
  readonly protocols: ReadonlyArray<PushProtocol>
  /** The simulator broadcasts, and other programs on this machine may receive it too: always, or on these ports. */
  readonly shared?: boolean | ReadonlyArray<number>
}

const everywhere = "everywhere" as const

/** Where to listen, and to which senders. */
const placeOf = (options: LinkOptions, shared: boolean) =>
  Effect.map(resolve(options), (resolved) => {
    const address = plainAddress(resolved)
    const { port } = options
    // Any number of programs may join a group.
    if (isMulticast(address)) {
      return { place: { local: "0.0.0.0", port, shared: true, group: address }, origin: everywhere }
    }
    if (isWildcard(address)) return { place: { local: address, port, shared }, origin: everywhere }
    // Datagrams to this machine alone are for one program: a shared socket would take them from another program that
    // listens there.
    if (isLoopback(address)) return { place: { local: address, port, shared: false }, origin: everywhere }
    const local = address.includes(":") ? "::" : "0.0.0.0"
    // On Linux broadcasts come to sockets of all addresses only.
    return { place: { local, port, shared }, origin: isLocal(address) ? networkOf(address) : address }
  })

/** The datagrams of one link, before and after it opens. */
class ListeningLink {
  readonly opened = Deferred.unsafeMake<Link, NotASimulator>(FiberId.none)
  readonly #protocols: ReadonlyArray<PushProtocol>
  readonly #options: LinkOptions
  readonly #sockets: SharedSockets["Type"]
  readonly #timing: TimingService
  readonly #forward: (bytes: Buffer) => void
  #afterSilence: number | undefined
  /** When the newest datagram came, s. */
  #heardAt: number
  #game: RememberedGame<Interpreter> | undefined
  #current: { readonly protocol: PushProtocol; readonly receiver: Receiver } | undefined

  constructor(
    protocols: ReadonlyArray<PushProtocol>,
    options: LinkOptions,
    sockets: SharedSockets["Type"],
    timing: TimingService,
    forward: (bytes: Buffer) => void
  ) {
    this.#forward = forward
    this.#timing = timing
    this.#afterSilence = options.afterSilence
    this.#heardAt = timing.now() / 1000
    this.#protocols = protocols
    this.#options = options
    this.#sockets = sockets
  }

  readonly hear = (bytes: Buffer, from: string): void => {
    const current = this.#current
    if (current === undefined) this.#first(bytes, from)
    else if (current.protocol.recognises(bytes)) {
      current.receiver.hearFrom(from, bytes, current.protocol.kindOf?.(bytes))
    } else {
      const other = this.#protocols.find((protocol) => protocol.recognises(bytes))
      if (other !== undefined && current.receiver.silentFor >= HANDED_OVER_AFTER_S) {
        current.receiver.lose(`${other.name} sends to this port now`)
      } else {
        current.receiver.refuse(this.#refusalOf(current.protocol, bytes))
        // Other packets of a newer version of the game are forwarded to programs that can read them.
        if (other === undefined) current.receiver.forwardFrom(from, bytes)
      }
    }
  }

  readonly lose = (reason: string): void => this.#current?.receiver.lose(reason)

  /** Called once a second. */
  readonly passSecond = (): void => {
    this.#current?.receiver.passSecond(SILENT_AFTER_S)
    if (this.#current?.receiver.silentFor === 0) this.#game!.hear(this.#timing.now() / 1000)
  }

  #first(bytes: Buffer, from: string): void {
    const now = this.#timing.now() / 1000
    const silence = now - this.#heardAt
    this.#heardAt = now
    if (this.#afterSilence !== undefined && silence < this.#afterSilence) return
    this.#afterSilence = undefined
    const protocol = this.#protocols.find((one) => one.recognises(bytes))
    if (protocol === undefined) {
      const { host, port } = this.#options
      for (const { hint, name } of this.#protocols) {
        const reason = hint?.(bytes)
        if (reason === undefined) continue
        const notOurs = new NotASimulator({ address: { host, port }, simulator: name, reason })
        Deferred.unsafeDone(this.opened, Effect.fail(notOurs))
      }
      return this.#options.onUnexpected?.(bytes.length, this.#sockets.whose(bytes))
    }
    const game = recall(this.#options.memory, protocol.name, now, () => protocol.interpreter(this.#options))
    this.#game = game
    game.hear(now)
    const receiver = new Receiver(game.interpreter, this.#timing, this.#forward, game.events)
    this.#current = { protocol, receiver }
    receiver.hearFrom(from, bytes, protocol.kindOf?.(bytes))
    const link = {
      simulator: receiver.interpreter.simulator(),
      driver: protocol.name,
      deliverTo: receiver.deliverTo
    }
    Deferred.unsafeDone(this.opened, Effect.succeed(link))
  }

  #refusalOf(protocol: PushProtocol, bytes: Buffer): string {
    const known = this.#sockets.whose(bytes)
    const whose = known === undefined ? "" : `, but ${known.game}'s`
    return (
      protocol.hint?.(bytes) ?? `a datagram of ${bytes.length} bytes that is not ${protocol.name}'s${whose}`
    )
  }
}

const open = (sockets: SharedSockets["Type"], { protocols, shared = false }: ListenerOptions) =>
  Effect.fn("listening.open")(function* (
    options: LinkOptions
  ): Effect.fn.Return<Link, OpenFailure, Scope.Scope> {
    const isShared = typeof shared === "boolean" ? shared : shared.includes(options.port)
    const { origin, place } = yield* placeOf(options, isShared)
    const forward = yield* sockets.forwarder(options, options.port)
    const { keep } = options
    const pass =
      keep === undefined
        ? forward
        : (bytes: Buffer) => {
            keep(bytes)
            forward(bytes)
          }
    const link = new ListeningLink(protocols, options, sockets, yield* Timing, pass)
    const { hear, lose, opened, passSecond } = link
    yield* sockets.listen(options, place, { origin, hear, lose })
    yield* Effect.sync(passSecond).pipe(Effect.delay("1 second"), Effect.forever, Effect.forkScoped)
    return yield* Deferred.await(opened)
  })

/** A driver that listens, added to the registry. */
export const listening = (listener: ListenerOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const drivers = yield* Drivers
      const sockets = yield* SharedSockets
      const { name, options = {}, ports, protocols } = listener
      const driver: Driver = {
        name,
        ports,
        options,
        reliable: false,
        reaches: false,
        forwards: true,
        open: open(sockets, listener)
      }
      drivers.register(driver)
      sockets.register(protocols)
    })
  )
