/** The other nodes of a cluster, by what each says of itself: who records, what its live clients want, and its connections. */
import type { WatchedChannels } from "../../live/channels/ChannelWatch.ts"
import type { SimulatorsStatus } from "../../simulators/connection/SimulatorsStatus.ts"
import type { WantedPoints } from "../Relay.ts"

/** What a node says of itself once a second, and whenever it changes. */
export interface Here {
  /** The version of all messages. */
  readonly v: number
  readonly node: string
  /** Whether it answers commands. */
  readonly records: boolean
  readonly watched: ReadonlyArray<WatchedChannels>
  readonly points: WantedPoints
  /** The others are to say the same of themselves. */
  readonly asks?: boolean
  /** It ends. */
  readonly gone?: boolean
}

export interface Peer extends Here {
  /** When it was heard last, ms of a monotonic clock. */
  readonly heard: number
  readonly status?: SimulatorsStatus | null
}

/** A node is gone that says nothing for this long, ms. */
export const GONE_AFTER_MS = 3500

export class Peers {
  readonly #peers = new Map<string, Peer>()
  /** Whether a node wants the points of all sessions, and else those that one wants. */
  #wantsAll = false
  #wanted: ReadonlySet<number> = new Set()

  has(node: string): boolean {
    return this.#peers.has(node)
  }

  /** Takes what a node says; returns whether others are concerned by what changed. */
  hear(here: Here, now: number): boolean {
    const before = this.#peers.get(here.node)
    this.#peers.set(here.node, { ...before, ...here, heard: now })
    const isSame =
      before !== undefined &&
      before.records === here.records &&
      JSON.stringify([before.watched, before.points]) === JSON.stringify([here.watched, here.points])
    if (!isSame) this.#sum()
    return !isSame
  }

  /** Of a node that was not heard yet nothing is kept: it says it again when it is asked. */
  status(node: string, status: SimulatorsStatus | null): void {
    const peer = this.#peers.get(node)
    if (peer !== undefined) this.#peers.set(node, { ...peer, status })
  }

  forget(node: string): boolean {
    const isKnown = this.#peers.delete(node)
    this.#sum()
    return isKnown
  }

  /** Forgets nodes that say nothing; returns whether there were any. */
  forgetSilent(now: number): boolean {
    const silent = [...this.#peers.values()].filter(({ heard }) => now - heard > GONE_AFTER_MS)
    for (const { node } of silent) this.#peers.delete(node)
    if (silent.length > 0) this.#sum()
    return silent.length > 0
  }

  get all(): ReadonlyArray<Peer> {
    return [...this.#peers.values()]
  }

  /** Those that record, in the same order at every node. */
  get recorders(): ReadonlyArray<Peer> {
    return this.all.filter(({ records }) => records).toSorted((a, b) => (a.node < b.node ? -1 : 1))
  }

  /** Those whose live clients watch channels beside the points. */
  get watching(): ReadonlyArray<Peer> {
    return this.all.filter(({ watched }) => watched.length > 0)
  }

  /** Whether a live client of another node wants the points of a session. */
  wants(sessionId: number): boolean {
    return this.#wantsAll || this.#wanted.has(sessionId)
  }

  #sum(): void {
    this.#wantsAll = this.all.some(({ points }) => points === "all")
    this.#wanted = new Set(this.all.flatMap(({ points }) => (points === "all" ? [] : points)))
  }
}
