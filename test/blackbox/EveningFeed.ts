/**
 * A game that drives in the evenings: a native feed of the test's own, 100 points a second on a circle, a lap every eight seconds.
 * It counts the points of each drive. The service reads all of them, since the feed closes a link only after sending everything.
 */
import { Effect } from "effect"
import type { WebSocket } from "ws"
import { WELCOME } from "../simulators/native/feedServer.ts"
import { served } from "../simulators/native/tickingFeed.ts"

const HZ = 100
const EVERY_MS = 50
const LAP_POINTS = 800
const RADIUS_M = 100

/** One drive of one evening, with a driver's name of its own. */
export interface Drive {
  readonly day: number
  readonly driver: string
  /** Epoch seconds of its first point, by the game's own clock. */
  readonly start: number
  sent: number
}

const pointOf = (n: number) => {
  const angle = (2 * Math.PI * n) / LAP_POINTS
  return {
    timestamp: n / HZ,
    speed: (2 * Math.PI * RADIUS_M * 3.6 * HZ) / LAP_POINTS,
    rpm: 5000 + (n % 1000),
    gear: 4,
    throttle: 0.5,
    brake: 0,
    steering: 0.1,
    position_x: RADIUS_M * Math.cos(angle),
    position_y: RADIUS_M * Math.sin(angle),
    position_z: 0,
    lap_number: 1 + Math.floor(n / LAP_POINTS)
  }
}

export class EveningFeed {
  readonly drives: Array<Drive> = []
  #drive: Drive | undefined
  #socket: WebSocket | undefined
  #drives = false

  greet(socket: WebSocket): void {
    this.#socket = socket
    socket.on("close", () => {
      if (this.#socket === socket) this.#socket = undefined
    })
    socket.on("error", () => undefined)
    socket.send(WELCOME)
    if (this.#drive !== undefined) this.#announce(this.#drive)
  }

  tick(): void {
    const drive = this.#drive
    if (!this.#drives || drive === undefined || this.#socket === undefined) return
    const count = (HZ * EVERY_MS) / 1000
    const points = Array.from({ length: count }, (_, n) => pointOf(drive.sent + n))
    drive.sent += count
    this.#say({ type: "points", points })
  }

  begin(day: number, start: number): void {
    const drive = { day, driver: `Evening ${day}, drive ${this.drives.length + 1}`, start, sent: 0 }
    this.drives.push(drive)
    this.#drive = drive
    this.#drives = true
    this.#announce(drive)
  }

  /** The game is in a menu. */
  rest(): void {
    this.#drives = false
  }

  goOn(): void {
    this.#drives = true
  }

  end(): void {
    this.rest()
    this.#say({ type: "session_end" })
    this.#drive = undefined
  }

  /** The network is gone for a moment; data sent before arrives. */
  lose(): void {
    this.#socket?.close()
    this.#socket = undefined
  }

  #announce({ driver, start }: Drive): void {
    this.#say({ type: "session", circuit: "Weekday", vehicle: "Car", driver, start_time: start })
  }

  #say(message: object): void {
    this.#socket?.send(JSON.stringify(message))
  }
}

/** The feed and its address, until the scope ends. */
export const eveningFeed = Effect.gen(function* () {
  const feed = new EveningFeed()
  return { feed, address: yield* served(feed, EVERY_MS) }
})
