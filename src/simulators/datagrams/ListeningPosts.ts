/**
 * The sockets of all drivers that listen: one for each local address and port, shared by the connections that hear
 * different senders on it. A socket lives as long as somebody listens.
 */
import { Context, Data, Effect, Layer, RcMap, type Scope } from "effect"
import { type Address, type KnownStranger, SimulatorRefused } from "../../domain/errors.ts"
import type { PushProtocol } from "./Protocol.ts"
import * as UdpSocket from "./UdpSocket.ts"

/** Who hears: one sender only, or everyone whom nobody else hears. */
export interface Listener {
  readonly sender: string | undefined
  readonly hear: (bytes: Buffer) => void
  readonly lose: (reason: string) => void
}

export interface Place {
  readonly local: string
  readonly port: number
  readonly shared: boolean
}

/** Of a game that one of the protocols knows as another's, of one of them, or of one that is not set up as it should be. */
const whose = (protocols: ReadonlyArray<PushProtocol>, bytes: Buffer): KnownStranger | undefined => {
  for (const { stranger } of protocols) {
    const known = stranger?.(bytes)
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

class Key extends Data.Class<Place> {}

class Post {
  readonly #listeners = new Set<Listener>()

  add(listener: Listener): void {
    this.#listeners.add(listener)
  }

  remove(listener: Listener): void {
    this.#listeners.delete(listener)
  }

  readonly hear: UdpSocket.Datagram = (bytes, { address }) => {
    const sender = UdpSocket.plainAddress(address)
    let known = false
    for (const listener of this.#listeners) {
      if (listener.sender !== sender) continue
      known = true
      listener.hear(bytes)
    }
    if (known) return
    for (const listener of this.#listeners) if (listener.sender === undefined) listener.hear(bytes)
  }

  lose(reason: string): void {
    for (const listener of this.#listeners) listener.lose(reason)
  }
}

export class ListeningPosts extends Context.Tag("simulators/ListeningPosts")<
  ListeningPosts,
  {
    /** Hears until the scope ends. `address`: what an error is about. */
    readonly join: (
      address: Address,
      place: Place,
      listener: Listener
    ) => Effect.Effect<void, SimulatorRefused, Scope.Scope>
    /** Enters what is listened for, whatever the port. */
    readonly enter: (protocols: ReadonlyArray<PushProtocol>) => void
    /** Whose these bytes are, as far as any of them knows. */
    readonly whose: (bytes: Buffer) => KnownStranger | undefined
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const posts = yield* RcMap.make({
        lookup: ({ local, port, shared }: Key) =>
          Effect.gen(function* () {
            const post = new Post()
            yield* UdpSocket.bind(
              { host: local, port },
              { local, port, shared, onDatagram: post.hear, onError: (reason) => post.lose(reason) }
            )
            return post
          })
      })
      const protocols = new Set<PushProtocol>()
      return {
        enter: (more) => {
          for (const protocol of more) protocols.add(protocol)
        },
        whose: (bytes) => whose([...protocols], bytes),
        join: (address, place, listener) =>
          RcMap.get(posts, new Key(place)).pipe(
            Effect.catchTag("SimulatorRefused", ({ reason }) =>
              // A failed socket must not be the answer to those who ask later.
              Effect.zipRight(
                RcMap.invalidate(posts, new Key(place)),
                Effect.fail(new SimulatorRefused({ address, reason }))
              )
            ),
            Effect.tap((post) =>
              Effect.acquireRelease(
                Effect.sync(() => post.add(listener)),
                () => Effect.sync(() => post.remove(listener))
              )
            ),
            Effect.asVoid
          )
      }
    })
  )
}
