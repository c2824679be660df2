/**
 * The live fan-out: sends the recorder's points and events to all subscribers, to each at its own rate.
 *
 * Responsibilities: `Hub` groups the subscribers by rate (RateGroup) and session (SubscriberGroup). A SessionSampler chooses
 * the points of one session at one rate; the WriteScheduler decides when their messages are written. A WebSocketSubscriber
 * owns one socket; a stream of another protocol shares one. All of this is plain code that never waits: `publish` adds
 * messages to their groups and returns.
 *
 * Guarantees: a subscriber gets a session's points in order, and an event after the points that were published before it.
 * Without subscribers, the hub only checks an empty map and keeps one number.
 *
 * Channels beside the points: a subscriber with a selection is in a rate group of that selection, whose samplers take values
 * from the ChannelHistory. The history holds only what a subscriber of this hub watches; the hub reports that by `onWanted`.
 *
 * Hard cases. The configured rate changes: subscribers that it limits move to another group, after the hub has sent
 * them the pending points. A subscriber arrives while the hub closes: the hub dismisses it immediately.
 *
 * The hub knows no other process: a process that gets batches from a relay (session id, the batch's columns) publishes them
 * into a hub of its own.
 */
import type { Socket } from "node:net"
import type { WebSocket } from "ws"
import { defaultConfiguration } from "../../domain/Configuration.ts"
import type { PointBatch } from "../../domain/RowBatch.ts"
import { ChannelHistory } from "../channels/ChannelHistory.ts"
import { type ChannelSelection, ChannelSelections } from "../channels/ChannelSelection.ts"
import type { GroupRows } from "../channels/ChannelWatch.ts"
import { RateGroup } from "./RateGroup.ts"
import { Replays } from "./Replays.ts"
import { encodedEvent, type Subscriber, type SubscriptionOptions, wants } from "./Subscriber.ts"
import { isStartOrEnd, type LiveEvent } from "./messages.ts"
import { type Wanted, Wants } from "./Wants.ts"
import { WriteScheduler } from "./WriteScheduler.ts"
import type { MessageCounts } from "../transports/NewestOnly.ts"
import { StreamSubscriber, type StreamTo } from "../transports/StreamSubscriber.ts"
import { WebSocketSubscriber } from "../transports/WebSocketSubscriber.ts"
import type { TimingService } from "../../platform/Timing.ts"

export interface LiveStats {
  readonly subscribers: number
  /** Messages handed to sockets since the start. */
  readonly sent: number
  /** Messages not sent because a subscriber was behind. Messages that its rate leaves out do not count. */
  readonly skipped: number
}

const keyOf = (rate: number, selection: ChannelSelection | undefined): string =>
  `${rate} ${selection?.key ?? ""}`

export class Hub {
  readonly #timing: TimingService
  readonly #watchers = new Set<(event: LiveEvent) => void>()
  readonly #subscribers = new Map<Subscriber, RateGroup>()
  /** By rate and selection. */
  readonly #rateGroups = new Map<string, RateGroup>()
  readonly #history = new ChannelHistory()
  readonly #wants = new Wants()
  #changeWanted: (wanted: Wanted) => void = () => {}
  readonly #writes: WriteScheduler
  readonly #counts: MessageCounts = { sent: 0, skipped: 0 }
  readonly #newest = new Map<number, number>()
  /** New subscribers get it first. */
  #onAir: LiveEvent | undefined
  #rate = defaultConfiguration.telemetryRate
  #closing = false

  constructor(timing: TimingService) {
    this.#timing = timing
    this.#writes = new WriteScheduler(timing)
  }

  /** `first` is the number of the first point in the session, if known. */
  readonly publish = (sessionId: number, batch: PointBatch, first?: number): void => {
    if (batch.length === 0) return
    if (first !== undefined) {
      const newest = this.#newest.get(sessionId)
      if (first !== (newest ?? 0) + 1) this.#missed(sessionId, newest, first)
      this.#newest.set(sessionId, first + batch.length - 1)
    }
    for (const group of this.#rateGroups.values()) group.publish(sessionId, batch, first)
  }

  /** Selections of channels that subscribers of this hub share. */
  readonly selections = new ChannelSelections()

  readonly replays = new Replays()

  /** Rows of a session's groups. The hub copies those that a subscriber watches. */
  readonly addSamples = (sessionId: number, groups: ReadonlyArray<GroupRows>): void => {
    for (const rows of groups) {
      if (this.#wants.channels.concerns(sessionId, rows.group, rows.batch.channels))
        this.#history.add(sessionId, rows)
    }
  }

  /** Calls `onChange` now and whenever it changes what subscribers want, before those concerned get their first message. */
  readonly onWanted = (onChange: (wanted: Wanted) => void): void => {
    this.#changeWanted = onChange
    onChange(this.#wants.all)
  }

  /** The number of the newest published point of a session that is recorded; undefined if none was published here. */
  readonly newestOf = (sessionId: number): number | undefined => this.#newest.get(sessionId)

  readonly announce = (event: LiveEvent): void => {
    if (event.type === "on_air") this.#onAir = event
    for (const watch of this.#watchers) watch(event)
    if (isStartOrEnd(event)) this.#forget(event.sessionId)
    const asked = [...this.#subscribers.keys()].filter((subscriber) => wants(subscriber.options, event))
    if (asked.length === 0) return
    const encoded = encodedEvent(event)
    this.#writes.flush()
    for (const subscriber of asked) subscriber.sendEvent(encoded)
  }

  /** Calls `watch` with every event until the caller calls the returned function. For readers of the catalog. */
  readonly watch = (watch: (event: LiveEvent) => void): (() => void) => {
    this.#watchers.add(watch)
    return () => void this.#watchers.delete(watch)
  }

  /**
   * Takes over a WebSocket after its handshake, until it closes; `socket` is the one it runs on. `replayAgain` is called with the
   * number of the last point that the client has, if it is to be sent the points since then before live ones (`missed`).
   */
  readonly subscribe = (
    ws: WebSocket,
    socket: Socket,
    options: SubscriptionOptions,
    replayAgain?: (since: number) => void
  ): WebSocketSubscriber => {
    const subscriber = new WebSocketSubscriber(ws, socket, options, {
      timing: this.#timing,
      counts: this.#counts,
      gone: this.#remove,
      replayAgain
    })
    this.#add(subscriber)
    return subscriber
  }

  /** Writes to a connection of another protocol while it is open, until the caller calls the returned function. */
  readonly stream = (options: SubscriptionOptions, to: StreamTo): (() => void) => {
    const subscriber = new StreamSubscriber(options, to, this.#counts)
    this.#add(subscriber)
    return () => {
      subscriber.end()
      this.#remove(subscriber)
    }
  }

  /** The configured telemetryRate, Hz above 0: the maximum rate at which a subscriber gets one session. */
  readonly setRate = (hz: number): void => {
    this.#rate = hz
    const movers = [...this.#subscribers].filter(
      ([subscriber, group]) => group.rate !== this.rateOf(subscriber.options)
    )
    for (const group of new Set(movers.map(([, group]) => group))) group.flush()
    this.#writes.flush()
    for (const [subscriber, group] of movers) {
      this.#leave(subscriber, group)
      this.#subscribers.set(subscriber, this.#join(subscriber))
    }
  }

  /** Tells every subscriber that the server is going away, including those that arrive later. */
  readonly dismissAll = (): void => {
    this.#closing = true
    this.#writes.flush()
    for (const subscriber of this.#subscribers.keys()) subscriber.dismiss()
  }

  readonly stats = (): LiveStats => ({
    subscribers: this.#subscribers.size + this.#watchers.size,
    ...this.#counts
  })

  /** The number of samplers of all sessions and rates. It must not grow. */
  get samplers(): number {
    let count = 0
    for (const group of this.#rateGroups.values()) count += group.samplers
    return count
  }

  /**
   * Drops the state of a session that starts or ends. At its end all of its points are stored, so a replay then counts
   * them in the store.
   */
  #forget(sessionId: number): void {
    this.#newest.delete(sessionId)
    for (const group of this.#rateGroups.values()) if (group.selection !== undefined) group.end(sessionId)
    this.#history.forget(sessionId)
  }

  /** Points before `first` did not come here and are sent first, or another node numbers points anew that were not stored. */
  #missed(sessionId: number, newest: number | undefined, first: number): void {
    const concerned = [...this.#subscribers].filter(
      ([{ missed, options }]) => missed !== undefined && options.sessionId === sessionId
    )
    if (concerned.length === 0) return
    for (const group of new Set(concerned.map(([, group]) => group))) group.end(sessionId)
    this.#writes.flush()
    for (const [subscriber] of concerned) subscriber.missed?.(newest, first)
  }

  #add(subscriber: Subscriber): void {
    if (this.#wants.add(subscriber.options)) this.#changeWanted(this.#wants.all)
    this.#subscribers.set(subscriber, this.#join(subscriber))
    if (this.#closing) subscriber.dismiss()
    else if (this.#onAir !== undefined && wants(subscriber.options, this.#onAir)) {
      subscriber.sendEvent(encodedEvent(this.#onAir))
    }
  }

  readonly #remove = (subscriber: Subscriber): void => {
    const group = this.#subscribers.get(subscriber)
    this.#subscribers.delete(subscriber)
    if (group === undefined) return
    this.#leave(subscriber, group)
    if (!this.#wants.remove(subscriber.options)) return
    if (subscriber.options.channels !== undefined) {
      this.#history.retain((...of) => this.#wants.channels.concerns(...of))
    }
    this.#changeWanted(this.#wants.all)
  }

  /** The maximum rate at which a subscriber with these options gets one session, Hz. */
  readonly rateOf = ({ rate }: SubscriptionOptions): number => Math.min(rate ?? Infinity, this.#rate)

  #join(subscriber: Subscriber): RateGroup {
    const { channels } = subscriber.options
    const rate = this.rateOf(subscriber.options)
    const key = keyOf(rate, channels)
    let group = this.#rateGroups.get(key)
    if (group === undefined) {
      const context = { timing: this.#timing, writes: this.#writes, history: this.#history }
      group = new RateGroup(rate, channels, context)
      this.#rateGroups.set(key, group)
    }
    group.add(subscriber)
    return group
  }

  #leave(subscriber: Subscriber, group: RateGroup): void {
    group.remove(subscriber)
    if (group.empty) this.#rateGroups.delete(keyOf(group.rate, group.selection))
  }
}
