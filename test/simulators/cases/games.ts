/** The games' side of a case: the clients to which they send, and their answers, as `play.mjs` beside the cases has them. */
import { gunzipSync } from "node:zlib"
import { readFileSync } from "node:fs"
import {
  encodeEntry,
  encodeEntryList,
  encodeRegistrationResult,
  encodeTrack
} from "../../../simulator/emulators/acc/encode.ts"
import { captureKinds } from "../../../simulator/captures/kinds.ts"
import { requestTypes } from "../../../src/simulators/drivers/acc/layout.ts"
import type { Arrive, PlayedGame } from "./handed.ts"
import { heard as toService, sent as fromService } from "../../../src/simulators/drivers/lfs/insim.ts"

/** A line of a case's file. */
export interface Line {
  /** s. */
  readonly t: number
  readonly hex: string
  /** Live for Speed: over which protocol it goes, and which request it answers. */
  readonly via?: "tcp" | "udp"
  readonly answers?: number | "ISI"
}

export const linesOf = (file: string): ReadonlyArray<string> =>
  gunzipSync(readFileSync(file)).toString().trim().split("\n")

interface Reply {
  readonly replies?: ReadonlyArray<Buffer>
  /** From now on datagrams go to the client that asked, with these options; or no more do. */
  readonly play?: ((bytes: Buffer) => Uint8Array) | "stop"
}

interface Rules {
  /** If left out, the game sends unasked. */
  readonly answerTo?: (bytes: Buffer) => Reply
  /** From the request to the first datagram, s. */
  readonly playsAfter: number
  /** Whether the game is closed during silences of its file. */
  readonly closes: boolean
}

const DRIVER = "Robin Vale"
const CONNECTION = 1
const CAR = 7
const same = (bytes: Buffer) => bytes

const answerByAcc = (bytes: Buffer): Reply => {
  switch (bytes[0]) {
    case requestTypes.register:
      return { replies: [encodeRegistrationResult(CONNECTION, "")], play: same }
    case requestTypes.trackData:
      return { replies: [encodeTrack(CONNECTION, "Nurburgring 24h", 600)] }
    case requestTypes.entryList: {
      const [first = "", last = ""] = DRIVER.split(" ")
      const car = { carIndex: CAR, carModelType: 30, teamName: "Team", raceNumber: 11 }
      return {
        replies: [encodeEntryList(CONNECTION, [CAR]), encodeEntry({ ...car, drivers: [[first, last]] })]
      }
    }
    case requestTypes.unregister:
      return { play: "stop" }
    default:
      return {}
  }
}

/** An answer has the number of its request. */
const answerByLfs =
  (lines: ReadonlyArray<Line>) =>
  (bytes: Buffer): Reply => {
    const isFirst = bytes[1] === fromService.ISI.type
    const kind = isFirst ? "ISI" : bytes[1] === toService.TINY.type ? bytes[3] : undefined
    const replies = lines
      .filter(({ answers }) => answers !== undefined && answers === kind)
      .map(({ hex }) => {
        const reply = Buffer.from(hex, "hex")
        reply[2] = bytes[2]!
        return reply
      })
    return isFirst ? { replies, play: same } : { replies }
  }

const answerByCapture = (simulator: string) => {
  const { heard } = captureKinds.find((kind) => kind.simulator === simulator)!
  return (bytes: Buffer): Reply => {
    const { reply, ...more } = heard!(bytes, "Case", DRIVER)
    return reply === undefined ? more : { ...more, replies: [reply] }
  }
}

const rulesOf = (simulator: string, lines: ReadonlyArray<Line>): Rules => {
  switch (simulator) {
    case "acc":
      return { answerTo: answerByAcc, playsAfter: 0.1, closes: true }
    case "assetto-corsa":
      return { answerTo: answerByCapture(simulator), playsAfter: 0.1, closes: true }
    case "gt7":
      return { answerTo: answerByCapture(simulator), playsAfter: 0, closes: false }
    case "lfs":
      return { answerTo: answerByLfs(lines), playsAfter: 0.7, closes: false }
    default:
      return { playsAfter: 0, closes: false }
  }
}

/** A game that is silent for longer was closed meanwhile, s. */
const CLOSED_AFTER_S = 3
/** From one end of the way to the other, s. */
const WAY_S = 0.001

/** Plays its file once, to the client that asks. Times are those of the service. */
export class Game implements PlayedGame {
  readonly #rules: Rules
  readonly #lines: ReadonlyArray<Line>
  readonly #send: Arrive
  #mail: ReadonlyArray<{ readonly at: number; readonly bytes: Buffer }> = []
  #next = 0
  /** Converts a time of the file to one of the service; undefined while nobody has asked. */
  #shift: number | undefined
  #play: ((bytes: Buffer) => Uint8Array) | undefined
  #opens = -Infinity

  constructor(simulator: string, lines: ReadonlyArray<Line>, begin: number, send: Arrive) {
    this.#rules = rulesOf(simulator, lines)
    this.#lines = lines.filter(({ answers }) => answers === undefined)
    this.#send = send
    if (this.#rules.answerTo !== undefined) return
    this.#play = same
    this.#shift = begin
  }

  get isOver(): boolean {
    return this.#next === this.#lines.length
  }

  get due(): number {
    const line = this.#lines[this.#next]
    const played = this.#shift === undefined || line === undefined ? Infinity : line.t + this.#shift
    return Math.min(this.#mail[0]?.at ?? Infinity, played)
  }

  hear(bytes: Buffer, now: number): void {
    if (now < this.#opens) return
    const { play, replies = [] } = this.#rules.answerTo?.(bytes) ?? {}
    this.#mail = [...this.#mail, ...replies.map((reply) => ({ at: now + WAY_S, bytes: reply }))]
    if (play === undefined) return
    this.#play = play === "stop" ? undefined : play
    const line = this.#lines[this.#next]
    if (this.#play !== undefined && line !== undefined) {
      this.#shift ??= now + this.#rules.playsAfter - line.t
    }
  }

  send(now: number): void {
    const [mail, ...rest] = this.#mail
    if (mail !== undefined && mail.at <= now) {
      this.#mail = rest
      return this.#send(mail.bytes, true)
    }
    const line = this.#lines[this.#next++]!
    if (this.#play !== undefined) {
      this.#send(Buffer.from(this.#play(Buffer.from(line.hex, "hex"))), line.via === "tcp")
    }
    const silence = (this.#lines[this.#next]?.t ?? line.t) - line.t
    if (!this.#rules.closes || silence <= CLOSED_AFTER_S) return
    this.#play = undefined
    this.#shift = undefined
    this.#opens = now + silence
  }
}
