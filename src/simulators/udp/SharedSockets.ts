/**
 * The sockets of all drivers that listen: one for each local address and port. Connections that receive from different senders
 * share it, and it closes when the last of them ends.
 */
import { Context, Data, Effect, Layer, RcMap, type Scope } from "effect"
import { type Address, type OtherGame, SimulatorRefused, type TargetNotAllowed } from "../../domain/errors.ts"
import type { LinkOptions } from "../Driver.ts"
import { forwarder } from "./Forwarder.ts"
import { LocalPorts } from "./LocalPorts.ts"
import { exactness, type Origin } from "./origins.ts"
import type { PushProtocol } from "./Protocol.ts"
import * as UdpSocket from "./UdpSocket.ts"

/** Receives from its origin, unless another listener asks for the sender more exactly. */
export interface DatagramListener {
  readonly origin: Origin
  /** `from`: the address and port of the datagram's sender. */
  readonly hear: (bytes: Buffer, from: string) => void
  readonly lose: (reason: string) => void
}

export interface LocalPort {
  readonly local: string
  readonly port: number
  readonly shared: boolean
  /** The multicast group that is joined; undefined for none. */
  readonly group?: string | undefined
}

/** Finds the game of these bytes: another game that a protocol recognises, the game of a protocol, or one with wrong settings. */
const whose = (protocols: ReadonlyArray<PushProtocol>, bytes: Buffer): OtherGame | undefined => {
  for (const { otherGame } of protocols) {
    const known = otherGame?.(bytes)
    if (known !== undefined) return known
  }
  for (const { name, recognises } of protocols) {
    if (recognises(bytes)) return { game: name, advice: `connect with "simulator": "${name}"` }
  }
  for (const { hint, name } of protocols) {
    const advice = hint?.(bytes)
    if (advice !== undefined) return { game: name, advice }
  }
  return undefined
}

const ignore = () => undefined

class Key extends Data.Class<LocalPort> {}

class SharedSocket {
  readonly #listeners = new Set<DatagramListener>()

  add(listener: DatagramListener): void {
    this.#listeners.add(listener)
  }

  remove(listener: DatagramListener): void {
    this.#listeners.delete(listener)
  }

  readonly hear: UdpSocket.Datagram = (bytes, remote) => {
    const sender = UdpSocket.plainAddress(remote.address)
    const from = UdpSocket.senderOf(remote)
    let most = 0
    for (const { origin } of this.#listeners) most = Math.max(most, exactness(origin, sender))
    if (most === 0) return
    for (const listener of this.#listeners)
      if (exactness(listener.origin, sender) === most) listener.hear(bytes, from)
  }

  lose(reason: string): void {
    for (const listener of this.#listeners) listener.lose(reason)
  }
}

export class SharedSockets extends Context.Tag("simulators/SharedSockets")<
  SharedSockets,
  {
    /** Receives until the scope ends. `address` is that of the connection, for errors. */
    readonly listen: (
      address: Address,
      place: LocalPort,
      listener: DatagramListener
    ) => Effect.Effect<void, SimulatorRefused, Scope.Scope>
    /** Registers that the service listens on a port with a socket of its own, until the scope ends. */
    readonly own: (address: Address, port: number) => Effect.Effect<void, SimulatorRefused, Scope.Scope>
    /** Forwards the datagrams of a link, which listens on this port of ours, to its options' addresses, until the scope ends. */
    readonly forwarder: (
      options: LinkOptions,
      listensOn: number | undefined
    ) => Effect.Effect<(bytes: Buffer) => void, SimulatorRefused | TargetNotAllowed, Scope.Scope>
    /** Adds protocols to those that `whose` recognises, on any port. */
    readonly register: (protocols: ReadonlyArray<PushProtocol>) => void
    /** The game that sends these bytes, if a registered protocol recognises it. */
    readonly whose: (bytes: Buffer) => OtherGame | undefined
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const ports = new LocalPorts()
      const own = (address: Address, port: number) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.suspend(() => {
              const end = ports.listen(port)
              return end === undefined
                ? new SimulatorRefused({
                    address,
                    reason: "datagrams are forwarded to this port",
                    localPort: port
                  })
                : Effect.succeed(end)
            }),
            (end) => Effect.sync(end)
          )
        )
      const sockets = yield* RcMap.make({
        lookup: ({ group, local, port, shared }: Key) =>
          Effect.gen(function* () {
            const socket = new SharedSocket()
            yield* own({ host: local, port }, port)
            yield* UdpSocket.bind(
              { host: local, port },
              {
                group,
                local,
                port,
                shared,
                onDatagram: socket.hear,
                onError: (reason) => socket.lose(reason)
              }
            )
            return socket
          })
      })
      const protocols = new Set<PushProtocol>()
      return {
        own,
        forwarder: ({ allows, forward }, listensOn) =>
          forward === undefined
            ? Effect.succeed(ignore)
            : forwarder(ports, { allows, listensOn, ...forward }),
        register: (more) => {
          for (const protocol of more) protocols.add(protocol)
        },
        whose: (bytes) => whose([...protocols], bytes),
        listen: (address, place, listener) =>
          RcMap.get(sockets, new Key(place)).pipe(
            Effect.catchTag("SimulatorRefused", (refused) =>
              // A later connect tries again, instead of failing with this error.
              Effect.zipRight(
                RcMap.invalidate(sockets, new Key(place)),
                Effect.fail(new SimulatorRefused({ ...refused, address }))
              )
            ),
            Effect.tap((socket) =>
              Effect.acquireRelease(
                Effect.sync(() => socket.add(listener)),
                () => Effect.sync(() => socket.remove(listener))
              )
            ),
            Effect.asVoid
          )
      }
    })
  )
}
