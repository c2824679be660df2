/**
 * The sockets of all drivers that listen: one for each local address and port, shared by the connections that hear
 * different senders on it. A socket lives as long as somebody listens.
 */
import { Context, Data, Effect, Layer, RcMap, type Scope } from "effect"
import { type Address, SimulatorRefused } from "../../domain/errors.ts"
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
      return {
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
