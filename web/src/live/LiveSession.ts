/**
 * A session being driven: its live feed, its laps, the best of them to drive against, and the lap under way. Asks the
 * service again when a lap has been completed or corrected, when the session has other names, and when the connection is back.
 */
import { batch, effect, signal, untracked } from "@preact/signals"
import { api, type ApiError } from "../api.ts"
import { fastestFirst, isSameLap, lastOf } from "../laps.ts"
import type { Lap, Point, Session } from "../types.ts"
import { LapClock } from "./LapClock.ts"
import { LiveTelemetry, type Wanted } from "./LiveTelemetry.ts"
import { bestFor, chosenFor } from "./candidates.ts"
import { ReferenceLap } from "./ReferenceLap.ts"
import { take, unknownPoint } from "./Ring.ts"

/** Thins a lap to its first and last point: only their number and the last time are needed. */
const ENDS_ONLY = 1_000_000
/** Points of the reference: one every 2 m of a long lap. */
const REFERENCE_POINTS = 3000
const HISTORY_S = 60
const HISTORY_HZ = 60

/** A lap whose points span less of its time than this, s, was not recorded in full. */
const MISSING_S = 1
/** Laps that are tried as the reference. */
const CANDIDATES = 5

const covers = (points: ReadonlyArray<Point>, lapTime: number) =>
  points.length > 1 && points.at(-1)!.timestamp - points[0]!.timestamp > lapTime - MISSING_S

export interface WantedSession extends Wanted {
  /** Whether to load the minute before. */
  readonly history?: boolean | undefined
  /** The id of the reference lap; undefined: the best one. */
  readonly against?: number | undefined
}

export class LiveSession {
  readonly feed: LiveTelemetry
  readonly clock = new LapClock()
  readonly session = signal<Session | undefined>(undefined)
  /** The wanted session was deleted, or never existed. */
  readonly gone = signal(false)
  readonly laps = signal<ReadonlyArray<Lap>>([])
  /** Whether `laps` has been loaded: until then an empty list does not mean that there are none. */
  readonly hasLaps = signal(false)
  /** Whether a reference has been looked for: until then its absence does not mean that there is none. */
  readonly isSought = signal(false)
  readonly reference = signal<ReferenceLap | undefined>(undefined)
  /** The session of the reference lap: this one, or another. */
  readonly referenceLap = signal<Lap | undefined>(undefined)
  /** The id of the lap that a user chose as the reference. */
  readonly chosen = signal<number | undefined>(undefined)
  readonly #ends: Array<() => void>
  #round = 0

  readonly #against: number | undefined
  /** Whether the minute before this page was opened is wanted. */
  #isPastWanted: boolean

  constructor(wanted: WantedSession) {
    this.#against = wanted.against
    this.#isPastWanted = wanted.history === true
    this.feed = new LiveTelemetry(wanted)
    const { sessionId } = wanted
    this.#ends = [
      // A WebSocket does not report why it was refused.
      effect(() => {
        if (this.feed.failures.value === 0) return
        // The answer to any question shows that the token is missing or wrong (api.ts).
        if (sessionId === undefined) void api.status().catch(() => undefined)
        else void this.#look(sessionId)
      }),
      this.feed.onPoint((point) => this.clock.read(point)),
      effect(() => {
        const id = this.feed.session.value
        const open = this.feed.link.value === "open"
        const changed = untracked(() => this.session.value?.id !== id)
        if (changed) this.#forget()
        if (id !== undefined && open) void this.#begin(id, this.#isPastWanted && changed)
      }),
      effect(() => {
        const named = this.feed.named.value
        if (named === undefined || named.id !== untracked(() => this.session.value?.id)) return
        this.session.value = named
        // The best lap of another car, or on another circuit, is no longer the reference.
        void this.#lapsOf(named.id, ++this.#round)
      }),
      effect(() => {
        const id = this.feed.session.peek()
        if (this.feed.laps.value === 0 || id === undefined) return
        // A lap that is reported while the session is being loaded must not get lost.
        if (this.session.peek()?.id === id) void this.#lapsOf(id, ++this.#round)
        else void this.#begin(id, this.#isPastWanted)
      })
    ]
  }

  /** The highest revolutions, shown by a whole lap or by enough of this drive; NaN until then. */
  get topRpm(): number {
    const driven = this.reference.peek()?.topRpm ?? 0
    return driven > 0 || this.feed.isTopKnown ? Math.max(driven, this.feed.topRpm) : Number.NaN
  }

  /** The number of the lap under way; undefined until the laps are known. */
  get lapNumber(): number | undefined {
    return this.hasLaps.value ? (lastOf(this.laps.value)?.lap_number ?? 0) + 1 : undefined
  }

  /** Loads the minute before this page was opened, if that was not wanted from the start: overlays share a session. */
  wantPast(): void {
    if (this.#isPastWanted) return
    this.#isPastWanted = true
    const id = this.session.peek()?.id
    if (id !== undefined) void this.#minute(id)
  }

  close(): void {
    for (const end of this.#ends) end()
    this.#round += 1
    this.feed.close()
  }

  /** Clears everything of the session before, also if the next one cannot be loaded. */
  #forget(): void {
    this.#round += 1
    batch(() => {
      this.session.value = undefined
      this.laps.value = []
      this.hasLaps.value = false
      this.isSought.value = false
      this.#dropReference()
    })
    this.clock.forget()
  }

  async #look(id: number): Promise<void> {
    const status = await api.session(id).then(
      () => 200,
      (error: ApiError) => error.status
    )
    if (status !== 404) return
    this.gone.value = true
    this.close()
  }

  /** A session that cannot be loaded (it was deleted, or the service is away) is shown without laps. */
  async #begin(id: number, history: boolean): Promise<void> {
    const round = ++this.#round
    const session = await api.session(id).catch(() => undefined)
    if (round !== this.#round) return
    if (session === undefined) {
      this.isSought.value = true
      return
    }
    this.session.value = session
    if (history) void this.#minute(id)
    await this.#lapsOf(id, round)
  }

  async #lapsOf(id: number, round: number): Promise<void> {
    const laps = await api.laps(id).catch(() => undefined)
    if (round !== this.#round) return
    if (laps === undefined) {
      this.isSought.value = true
      return
    }
    batch(() => {
      this.laps.value = laps
      this.hasLaps.value = true
    })
    await this.#refer(id, laps, round)
    if (round === this.#round) this.isSought.value = true
  }

  /** Finds when this lap began, and the lap to drive against. */
  async #refer(id: number, laps: ReadonlyArray<Lap>, round: number): Promise<void> {
    const last = lastOf(laps)
    const began =
      last === undefined
        ? await api.range(id, undefined, ENDS_ONLY).then(
            (range) => range.start_time ?? undefined,
            () => undefined
          )
        : await api.lapTelemetry(last.id, ENDS_ONLY).then(
            (lap) => lap.points.at(-1)?.timestamp,
            () => undefined
          )
    if (round !== this.#round) return
    if (began !== undefined) this.clock.beginAt(began, last !== undefined)
    if (this.#against !== undefined) {
      const against = await api.lap(this.#against).catch(() => undefined)
      if (round !== this.#round) return
      if (against !== undefined && (await this.#drawAgainst([against], round))) return
    }
    const chosen = await chosenFor(this.session.peek())
    if (round !== this.#round) return
    this.chosen.value = chosen[0]?.id
    if (await this.#drawAgainst(chosen, round)) return
    const own = fastestFirst(laps)
    if (await this.#drawAgainst(own, round)) return
    if (await this.#drawAgainst(await bestFor(this.session.peek(), CANDIDATES), round)) return
    const drawn = this.referenceLap.peek()
    // The simulator took it back, it is invalid, or it was the reference.
    if (drawn?.session_id === id && !own.some((lap) => lap.id === drawn.id)) this.#dropReference()
  }

  #dropReference(): void {
    this.referenceLap.value = undefined
    this.reference.value = undefined
    this.clock.follow(undefined)
  }

  /** The first of the laps with points for its whole time: for a client that joined in the middle of a lap, a lap has a time but only a part of its points. */
  async #drawAgainst(laps: ReadonlyArray<Lap>, round: number): Promise<boolean> {
    for (const lap of laps.slice(0, CANDIDATES)) {
      if (isSameLap(lap, this.referenceLap.peek())) return true
      const ends = await api.lapTelemetry(lap.id, ENDS_ONLY).catch(() => undefined)
      if (round !== this.#round) return true
      if (ends === undefined || !covers(ends.points, lap.lap_time!)) continue
      const thinned = Math.max(1, Math.ceil(ends.total_points / REFERENCE_POINTS))
      const { points } = await api.lapTelemetry(lap.id, thinned).catch(() => ends)
      if (round !== this.#round) return true
      this.referenceLap.value = lap
      this.reference.value = new ReferenceLap(points, lap)
      this.clock.follow(this.reference.value)
      return true
    }
    return false
  }

  /** The minute before this page was opened, from the store. */
  async #minute(id: number): Promise<void> {
    const bounds = await api.range(id, undefined, ENDS_ONLY).catch(() => undefined)
    if (bounds === undefined || bounds.start_time === null || bounds.end_time === null) return
    const rate = bounds.total_points / Math.max(1, bounds.end_time - bounds.start_time)
    const past = await api
      .range(id, bounds.end_time - HISTORY_S, Math.max(1, Math.round(rate / HISTORY_HZ)))
      .catch(() => undefined)
    if (past === undefined || this.session.peek()?.id !== id) return
    const { ring } = this.feed
    const first = ring.length > 0 ? ring.at("timestamp", 0) : Number.POSITIVE_INFINITY
    const since = Array.from({ length: ring.length }, (_, k) => ({ ...ring.pointAt(k) }))
    ring.clear()
    for (const point of past.points) if (point.timestamp < first) ring.push(take(point, unknownPoint()))
    for (const point of since) ring.push(point)
  }
}
