/**
 * Live telemetry of one session: the newest point, the last minute, and what happens to laps and sessions.
 *
 * It comes over a WebSocket, not by a subscription of tRPC: that holds an HTTP connection, and a browser opens six to a
 * service, for all of its pages and overlays.
 *
 * Points come up to 60 times a second and are read by a frame loop, so they are plain fields, not signals; what
 * changes seldom is a signal.
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
  | { readonly type: "lap"; readonly session_id: number; readonly data: Lap }
  | {
      readonly type: "session"
      readonly session_id: number
      readonly data: Session
      /** Left out where the session begins or ends. */
      readonly changed?: ReadonlyArray<string>
    }

/** Nothing new for so long is stale: ten times the slowest real feed's interval. */
const STALE_MS = 1500
/** Of what comes at a rate: so many intervals, where these take longer. */
const STALE_INTERVALS = 2.5
/** What no point of so long has reported is not reported by this simulator, s. */
const JUDGED_AFTER_S = 1
/** A session that has been silent for so long is left for another one that speaks. */
const LEFT_MS = 5000
/** A minute at 60 Hz and some. */
const KEPT_POINTS = 4096

const addressOf = ({ channels, everyone, rate, sessionId }: Wanted): string => {
  const query = new URLSearchParams({ rate: String(rate), events: "lap,session", heartbeat: "1" })
  if (sessionId !== undefined && everyone !== true) query.set("session_id", String(sessionId))
  if (channels !== undefined && channels.length > 0) query.set("channels", channels.join(","))
  return `/api/v1/telemetry/live?${query.toString()}`
}

export interface Wanted {
  /** Undefined follows whichever session speaks. */
  readonly sessionId?: number | undefined
  /** Hz. */
  readonly rate: number
  /** Names and patterns of channels that are wanted besides a point's own. */
  readonly channels?: ReadonlyArray<string> | undefined
  /** Where all others are is wanted, too (`others`). */
  readonly everyone?: boolean | undefined
}

/** Where another session's car was last. */
export interface Other {
  x: number
  y: number
  /** Of `performance.now()`. */
  arrived: number
}

export class LiveTelemetry {
  readonly #socket: LiveSocket
  readonly session = signal<number | undefined>(undefined)
  /** Counts laps that were completed or corrected, so that whoever shows laps asks again. */
  readonly laps = signal(0)
  /** The session as it was reported of last, when it has begun, has other names, or has ended. */
  readonly named = signal<Session | undefined>(undefined)
  readonly stale = signal(true)
  readonly ring = new Ring(KEPT_POINTS, columns)
  readonly point: LivePoint = unknownPoint()
  /** The newest value of each channel that has been reported; NaN where it is absent now. */
  readonly values: Record<string, number> = {}
  /** The names of those, for who shows them: they come with the first message that has them. */
  readonly reported = signal<ReadonlyArray<string>>([])
  /** The cars of other sessions, where everyone is wanted. */
  readonly others = new Map<number, Other>()
  /** What the simulator does not tell. */
  readonly absent = signal<ReadonlyArray<Column>>([])
  /** Counts points: what is drawn is drawn again only when this has changed. */
  points = 0
  /** Without a point for so long, the values are not now's. */
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

  /** The most that this session's engine has turned. */
  get topRpm(): number {
    return this.#top.value
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
      // It had begun before its first point.
      if (message.changed === undefined) this.#ended = performance.now()
    } else if (message.type === "telemetry") this.#take(message.session_id, message.data, message.channels)
  }

  #place(session: number, { position_x: x, position_y: y }: ReportedPoint): void {
    const other = this.others.get(session) ?? { x: Number.NaN, y: Number.NaN, arrived: 0 }
    other.x = x ?? Number.NaN
    other.y = y ?? Number.NaN
    other.arrived = performance.now()
    this.others.set(session, other)
  }

  #tell(channels: Readonly<Record<string, number | null>>): void {
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

  #isOver(): boolean {
    return this.#ended !== undefined || this.age() >= Math.max(LEFT_MS, this.staleAfter)
  }

  /** Nothing stays of the session before. */
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
      const { everyone, sessionId } = this.#wanted
      if (everyone === true) this.#place(session, data)
      if (sessionId !== undefined) return
      if (this.session.value !== undefined && !this.#isOver()) return
      this.#begin(session)
    } else if (this.#ended !== undefined && performance.now() - this.#ended > this.staleAfter) {
      // It was recorded into again. What comes sooner was on its way when it ended.
      this.#ended = undefined
    }
    if (channels !== undefined) this.#tell(channels)
    const { point } = this
    // A clock that went back (another feed into the same session) begins a new minute.
    if (data.timestamp < point.timestamp) this.ring.clear()
    take(data, point)
    this.#arrived = performance.now()
    this.points += 1
    this.#top.read(point.rpm)
    this.ring.push(point)
    if (this.stale.value) this.stale.value = false
    for (const read of this.#readers) read(point)
  }
}
