/**
 * Live telemetry of one session, which may be the one that the service has on air: the newest point, the last minute, and events of
 * laps and sessions.
 *
 * It uses a WebSocket and no tRPC subscription, because that holds an HTTP connection, and a browser opens only six to a
 * service, for all pages and overlays together.
 *
 * Points arrive up to 60 times a second and are read by a frame loop, so they are plain fields and not signals. Values that
 * seldom change are signals.
 */
import { batch, effect, signal } from "@preact/signals"
import type { Lap, Session } from "../types.ts"
import { STEERING } from "./channels.ts"
import { LiveSocket } from "./LiveSocket.ts"
import { TopRpm } from "./TopRpm.ts"
import { type Column, columns, type LivePoint, Ring, take, type ReportedPoint, unknownPoint } from "./Ring.ts"

type Message =
  | {
      readonly type: "telemetry"
      readonly session_id: number
      readonly data: ReportedPoint
      readonly channels?: Readonly<Record<string, number | null>>
    }
  | { readonly type: "heartbeat" }
  | { readonly type: "on_air"; readonly session_id: number | null }
  | { readonly type: "lap"; readonly session_id: number; readonly data: Lap }
  | {
      readonly type: "session"
      readonly session_id: number
      readonly data: Session
      /** Left out when the session begins or ends. */
      readonly changed?: ReadonlyArray<string>
    }

/** Telemetry without a new point for so long is stale: ten times the slowest real feed's interval. */
const STALE_MS = 1500
/** With a requested rate: so many of its intervals, if they are longer. */
const STALE_INTERVALS = 2.5
/** A channel that no point has had for so long counts as not reported by this simulator, s. */
const JUDGED_AFTER_S = 1
/** A minute at 60 Hz and some. */
const KEPT_POINTS = 4096

const addressOf = ({ channels, everyone, rate, sessionId }: Wanted): string => {
  const events = sessionId === undefined ? "lap,session,on_air" : "lap,session"
  const query = new URLSearchParams({ rate: String(rate), events, heartbeat: "1" })
  if (sessionId !== undefined && everyone !== true) query.set("session_id", String(sessionId))
  if (channels !== undefined && channels.length > 0) query.set("channels", channels.join(","))
  return `/api/v1/telemetry/live?${query.toString()}`
}

export interface Wanted {
  /** Undefined follows the session that the service has on air. */
  readonly sessionId?: number | undefined
  /** Hz. */
  readonly rate: number
  /** Names and patterns of wanted channels in addition to those of a point. */
  readonly channels?: ReadonlyArray<string> | undefined
  /** Whether the places of all other cars are wanted (`others`). */
  readonly everyone?: boolean | undefined
}

/** The last place of another session's car. */
export interface Other {
  x: number
  y: number
  /** By `performance.now()`. */
  arrived: number
}

export class LiveTelemetry {
  readonly #socket: LiveSocket
  readonly session = signal<number | undefined>(undefined)
  /** Counts laps that were completed or corrected: lists of laps load again when it changes. */
  readonly laps = signal(0)
  /** The session as last reported: it has begun, has other names, or has ended. */
  readonly named = signal<Session | undefined>(undefined)
  readonly stale = signal(true)
  readonly ring = new Ring(KEPT_POINTS, columns)
  readonly point: LivePoint = unknownPoint()
  /** The newest value of each reported channel; NaN while it is absent. */
  readonly values: Record<string, number> = {}
  /** Their names, which come with the first message that has them. */
  readonly reported = signal<ReadonlyArray<string>>([])
  /** The cars of other sessions, if all cars are wanted. */
  readonly others = new Map<number, Other>()
  /** The channels that the simulator does not report. */
  readonly absent = signal<ReadonlyArray<Column>>([])
  /** Counts points: drawings are repeated only when it has changed. */
  points = 0
  /** No point has come for so long that the values are no longer current. */
  readonly staleAfter: number
  #top = new TopRpm()
  #arrived = Number.NEGATIVE_INFINITY
  /** When the session was reported to have ended. */
  #ended: number | undefined
  readonly #watch: ReturnType<typeof setInterval>
  readonly #readers = new Set<(point: Readonly<LivePoint>) => void>()
  readonly #wanted: Wanted

  constructor(wanted: Wanted) {
    this.#wanted = wanted
    this.staleAfter = Math.max(STALE_MS, (STALE_INTERVALS * 1000) / wanted.rate)
    this.session.value = wanted.sessionId
    this.#watch = setInterval(() => {
      this.stale.value = this.age() > this.staleAfter
      this.#judge()
    }, 250)
    this.#socket = new LiveSocket({
      address: addressOf(wanted),
      read: (message) => this.#read(message as Message),
      isAlive: () => this.age() <= this.staleAfter
    })
    effect(() => {
      if (this.link.value === "lost") this.stale.value = true
    })
  }

  #show(session: number | null): void {
    if (session !== null && session !== this.session.peek()) this.#begin(session)
  }

  get link(): LiveSocket["link"] {
    return this.#socket.link
  }

  get failures(): LiveSocket["failures"] {
    return this.#socket.failures
  }

  /** Milliseconds since a point came. */
  age(): number {
    return performance.now() - this.#arrived
  }

  /** The highest revolutions of this session's engine so far. */
  get topRpm(): number {
    return this.#top.value
  }

  /** Whether the engine has been watched long enough for `topRpm` to be the end of a gauge. */
  get isTopKnown(): boolean {
    return this.#top.isKnown
  }

  /** Called with every point, in order; the point is reused for the next. */
  onPoint(read: (point: Readonly<LivePoint>) => void): () => void {
    this.#readers.add(read)
    return () => void this.#readers.delete(read)
  }

  close(): void {
    clearInterval(this.#watch)
    this.#readers.clear()
    this.#socket.close()
  }

  #judge(): void {
    const { ring } = this
    if (!(ring.at("timestamp", ring.length - 1) - ring.at("timestamp", 0) >= JUDGED_AFTER_S)) return
    const asked = this.#wanted.channels?.includes(STEERING) === true
    const absent = columns.filter((name) => (name !== STEERING || asked) && !ring.knows(name))
    if (absent.join() !== this.absent.peek().join()) this.absent.value = absent
  }

  #read(message: Message): void {
    if (message.type === "lap") {
      if (message.session_id === this.session.value) this.laps.value += 1
    } else if (message.type === "session") {
      if (message.session_id !== this.session.value) return
      this.named.value = message.data
      // Its start was reported before its first point, so this is its end.
      if (message.changed === undefined) this.#ended = performance.now()
    } else if (message.type === "on_air") {
      if (this.#wanted.sessionId === undefined) this.#show(message.session_id)
    } else if (message.type === "telemetry") this.#take(message.session_id, message.data, message.channels)
  }

  #place(session: number, { position_x: x, position_y: y }: ReportedPoint): void {
    const other = this.others.get(session) ?? { x: Number.NaN, y: Number.NaN, arrived: 0 }
    other.x = x ?? Number.NaN
    other.y = y ?? Number.NaN
    other.arrived = performance.now()
    this.others.set(session, other)
  }

  #takeChannels(channels: Readonly<Record<string, number | null>>): void {
    const { values } = this
    let fresh = false
    for (const name in channels) {
      const value = channels[name] ?? null
      if (name === STEERING) {
        this.point.steering = value ?? Number.NaN
        continue
      }
      if (value !== null && !(name in values)) fresh = true
      if (value !== null || name in values) values[name] = value ?? Number.NaN
    }
    if (fresh) this.reported.value = Object.keys(values)
  }

  /** Clears everything of the session before. */
  #begin(session: number): void {
    this.others.delete(session)
    this.ring.clear()
    for (const name of Object.keys(this.values)) delete this.values[name]
    Object.assign(this.point, unknownPoint())
    this.#top = new TopRpm()
    this.#ended = undefined
    batch(() => {
      this.session.value = session
      this.reported.value = []
      this.absent.value = []
      this.named.value = undefined
    })
  }

  #take(session: number, data: ReportedPoint, channels?: Readonly<Record<string, number | null>>): void {
    if (session !== this.session.value) {
      if (this.#wanted.everyone === true) this.#place(session, data)
      return
    }
    if (this.#ended !== undefined && performance.now() - this.#ended > this.staleAfter) {
      // It is recorded into again. Points that come sooner were on their way when it ended.
      this.#ended = undefined
    }
    if (channels !== undefined) this.#takeChannels(channels)
    const { point } = this
    // A clock that went back (another feed into the same session) begins a new minute.
    if (data.timestamp < point.timestamp) this.ring.clear()
    take(data, point)
    this.#arrived = performance.now()
    this.points += 1
    this.#top.read(point.rpm, point.timestamp)
    this.ring.push(point)
    if (this.stale.value) this.stale.value = false
    for (const read of this.#readers) read(point)
  }
}
