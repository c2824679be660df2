/** What the subscribers of a hub want: points of sessions, and channels beside them. */
import { ChannelWatch, type WatchedChannels } from "../channels/ChannelWatch.ts"
import type { SubscriptionOptions } from "./Subscriber.ts"

export interface Wanted {
  readonly channels: ReadonlyArray<WatchedChannels>
  /** The sessions whose points they want. */
  readonly points: "all" | ReadonlyArray<number>
}

type Options = Pick<SubscriptionOptions, "channels" | "sessionId">

export class Wants {
  readonly channels = new ChannelWatch()
  /** How many want the points of each session; undefined stands for all sessions. */
  readonly #users = new Map<number | undefined, number>()

  /** Adds a subscriber; returns whether it wants what no other wants. */
  add({ channels, sessionId }: Options): boolean {
    const users = this.#users.get(sessionId) ?? 0
    this.#users.set(sessionId, users + 1)
    const isNew = channels !== undefined && this.channels.add(channels, sessionId)
    return isNew || users === 0
  }

  /** Removes a subscriber; returns whether nobody wants any more what it wanted. */
  remove({ channels, sessionId }: Options): boolean {
    const users = this.#users.get(sessionId) ?? 0
    if (users > 1) this.#users.set(sessionId, users - 1)
    else this.#users.delete(sessionId)
    const isLast = channels !== undefined && this.channels.remove(channels, sessionId)
    return isLast || users === 1
  }

  get all(): Wanted {
    const sessions = [...this.#users.keys()].flatMap((id) => id ?? [])
    return { channels: this.channels.all, points: this.#users.has(undefined) ? "all" : sessions }
  }
}
