/**
 * A simulator of the test's own, whose every point has a number, and whose every link remembers the points it sent: whatever
 * happens, the points stored of a link are the first ones that the link sent. It has one link: a new one ends the one before.
 *
 * Its clock runs as fast as a replay's: PACE_POINTS points of 10 ms every 20 ms. It sends no faster than it is read.
 */
import type { Socket } from "node:net"
import { Effect } from "effect"
import type { WebSocket } from "ws"
import { WELCOME } from "../simulators/native/feedServer.ts"
import { served } from "../simulators/native/tickingFeed.ts"
import type { Point } from "../support/processes.ts"

export const START = 1_750_000_000
const INTERVAL_S = 0.01
const PACE_POINTS = 50
const PACE_MS = 20
const LAP_POINTS = 2000
/** A clock that falls to the first second of its session begins another one (timekeeping.md, rule 2): these points do not come again. */
const START_POINTS = 200
/** Limit of bytes that wait in the socket because the service does not read them. */
const MAX_WAITING_BYTES = 1 << 20

/** A point as the feed sends it; `timestamp` is on the feed's clock. Every number's values differ from its neighbours'. */
const sentPoint = (n: number): Point => ({
  timestamp: n * INTERVAL_S,
  speed: 100 + (n % 977) / 8,
  rpm: 3000 + (n % 4001),
  gear: n % 7,
  throttle: (n % 101) / 100,
  brake: (n % 103) / 200,
  steering: ((n % 107) - 50) / 64,
  position_x: n % 1009,
  position_y: n % 13,
  position_z: (n % 2003) / 3
})

/** A point as the service must give it. */
export const pointOf = (n: number): Point => ({ ...sentPoint(n), timestamp: START + n * INTERVAL_S })

export const numberOf = (timestamp: number): number => Math.round((timestamp - START) / INTERVAL_S)

/** The time from a connection to its loss. */
export interface FeedLink {
  /** The number of its first point. */
  readonly from: number
  /** The number of the first point that was not sent. */
  until: number
  readonly laps: Array<ReportedLap>
}

/** A complete lap that was sent, with the number of the point behind it. */
interface ReportedLap {
  readonly lap_number: number
  /** s */
  readonly lap_time: number
  readonly until: number
}

/** Invalid points as text messages; each must leave the session unchanged. */
export const lies: ReadonlyArray<string> = [
  "{",
  "[]",
  '{"type":"points"}',
  '{"type":"points","points":[{"timestamp":1e300,"speed":1}]}',
  '{"type":"points","points":[{"timestamp":null,"speed":1}]}',
  '{"type":"points","points":[{"timestamp":"now"}]}',
  '{"type":"lap","lap_number":-5,"lap_time":"none"}',
  '{"type":"weather","rain":true}',
  `{"type":"points","points":${"[".repeat(2000)}${"]".repeat(2000)}}`,
  `{"type":"points","points":[${Array(70_000).fill("{}").join(",")}]}`
]

export class NumberedFeed {
  readonly links: Array<FeedLink> = []
  #next = 0
  #socket: WebSocket | undefined
  #heldUntil = 0
  #away = false
  #stint = 1
  /** The number of the first point since the last session message. */
  #stintFrom = 0
  #ended = false

  /** The feed speaks first, and ignores the client's messages. */
  greet(socket: WebSocket): void {
    if (this.#away || this.#ended) return socket.terminate()
    this.#socket?.terminate()
    this.#socket = socket
    this.links.push({ from: this.#next, until: this.#next, laps: [] })
    socket.on("close", () => {
      if (this.#socket === socket) this.#socket = undefined
    })
    socket.on("error", () => undefined)
    socket.send(WELCOME)
    this.#say(this.#session())
  }

  tick(): void {
    if (this.#socket === undefined || this.#ended || Date.now() < this.#heldUntil) return
    if (this.#socket.bufferedAmount > MAX_WAITING_BYTES) return
    this.#sendPoints(PACE_POINTS)
  }

  get sent(): number {
    return this.#next
  }

  /** Nothing is sent for so long, over a connection that stands. */
  stall(milliseconds: number): void {
    this.#heldUntil = Date.now() + milliseconds
  }

  /** Its process is killed: no goodbye, and nothing listens for so long. */
  vanish(milliseconds: number): void {
    this.#away = true
    this.#socket?.terminate()
    setTimeout(() => (this.#away = false), milliseconds).unref()
  }

  /** Ends its side of the TCP connection without a close of the WebSocket. */
  halfClose(): void {
    const { _socket: tcp } = (this.#socket ?? {}) as unknown as { readonly _socket?: Socket }
    this.#socket = undefined
    tcp?.end()
  }

  flood(points: number): void {
    for (let left = points; left > 0; left -= PACE_POINTS) this.#sendPoints(PACE_POINTS)
  }

  /** Repeats points of this link and session. */
  repeat(points: number): void {
    const from = Math.max(this.#repeatableFrom, this.#next - points)
    if (from < this.#next) this.#sayPoints(from, this.#next, sentPoint)
  }

  /** Points at times before the newest one, with values of their own. */
  goBack(points: number): void {
    const from = this.#next - 2 * points
    if (from < this.#repeatableFrom) return
    this.#sayPoints(from, from + points, (n) => ({ ...sentPoint(n), speed: 7 }))
  }

  lie(text: string): void {
    this.#say(text)
  }

  /** A session ends, and another begins. */
  nextSession(): void {
    this.#say('{"type":"session_end"}')
    this.#stint++
    this.#stintFrom = this.#next
    this.#say(this.#session())
  }

  end(): void {
    this.#say('{"type":"session_end"}')
    this.#ended = true
  }

  get #repeatableFrom(): number {
    return Math.max(this.links.at(-1)?.from ?? 0, this.#stintFrom) + START_POINTS
  }

  #session(): string {
    const names = { circuit: "Numbered", vehicle: "Counter", driver: `Stint ${this.#stint}` }
    return JSON.stringify({ type: "session", ...names, start_time: START })
  }

  #say(text: string): void {
    this.#socket?.send(text, () => undefined)
  }

  #sayPoints(from: number, until: number, point: (n: number) => Point): void {
    const points = Array.from({ length: until - from }, (_, at) => point(from + at))
    this.#say(JSON.stringify({ type: "points", points }))
  }

  #sendPoints(count: number): void {
    const link = this.links.at(-1)
    if (this.#socket === undefined || link === undefined) return
    const until = this.#next + count
    this.#sayPoints(this.#next, until, sentPoint)
    this.#next = until
    link.until = until
    if (until % LAP_POINTS === 0 && until - LAP_POINTS >= link.from) this.#sendLap(link, until)
  }

  #sendLap(link: FeedLink, until: number): void {
    const [start_time, end_time] = [(until - LAP_POINTS) * INTERVAL_S, until * INTERVAL_S]
    const sectors = { sector1_time: null, sector2_time: null, sector3_time: null }
    const lap_time = LAP_POINTS * INTERVAL_S
    const lap = { lap_number: until / LAP_POINTS, lap_time }
    link.laps.push({ ...lap, until })
    this.#say(JSON.stringify({ type: "lap", ...lap, ...sectors, valid: true, start_time, end_time }))
  }
}

/** The feed and its address, until the scope ends. */
export const numberedFeed = Effect.gen(function* () {
  const feed = new NumberedFeed()
  return { feed, address: yield* served(feed, PACE_MS) }
})
