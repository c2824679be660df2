/**
 * Two games of one protocol send to one port: a receiver reads only the first game until that was silent. Tried with the
 * datagrams of every game, without sockets. asking.test.ts and lfs/driver.test.ts test which senders the shells refuse by their
 * addresses.
 */
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { Effect, FiberId } from "effect"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { Receiver } from "../../../src/simulators/udp/Receiver.ts"
import type { TimingService } from "../../../src/platform/Timing.ts"
import { Frames } from "../../../simulator/emulators/frames.ts"
import { circuitNamed } from "../../../simulator/model/Circuit.ts"
import { framesOptions, RATE, scene } from "../drivers/emulating.ts"
import { kinds } from "../drivers/index.ts"
import type { Game, Kind, Reader } from "../drivers/suite/kind.ts"
import { collecting } from "../sinks.ts"
import { timesOf } from "./udp.ts"

/** The senders of the good game and of the other one. */
const GOOD = "10.0.0.1:20777"
const OTHER = "10.0.0.1:20778"
const OTHER_SCENE = { ...scene, circuit: circuitNamed("Port Averno")!, driver: "Somebody Else" }

/** How long both games send, and how long the other game continues alone, s. */
const BOTH_S = 6
const ALONE_S = 8

interface Player {
  readonly game: Game
  readonly frames: Frames
}

const playerOf = (kind: Kind, own: typeof scene, seed: number): Player => ({
  game: kind.game(own),
  frames: new Frames(framesOptions({ circuit: own.circuit, seed, laps: 1 }))
})

/** Both games against one receiver, on a clock of the test. */
class Port {
  readonly #receiver: Receiver
  readonly #reader: Reader
  readonly #good: Player
  readonly #other: Player
  /** The service's requests to the game; both games answer them. */
  readonly #requests: Array<Buffer>
  /** The datagrams that the other game sent. */
  foreign = 0
  #now = 100

  constructor(kind: Kind) {
    this.#good = playerOf(kind, scene, 7)
    this.#other = playerOf(kind, OTHER_SCENE, 11)
    const timing: TimingService = {
      now: () => this.#now * 1000,
      after: () => () => undefined,
      soon: (run) => run()
    }
    const requests: Array<Buffer> = []
    this.#reader = kind.open(scene, (bytes) => requests.push(Buffer.from(bytes)))
    this.#receiver = new Receiver(this.#reader, timing)
    this.#requests = requests
  }

  /** All events of the receiver. */
  events(): ReadonlyArray<SimulatorEvent> {
    const { events, sink } = collecting()
    Effect.runFork(this.#receiver.deliverTo(sink)).unsafeInterruptAsFork(FiberId.none)
    return events
  }

  /** Drives both games for `seconds`; `who` names those that send. */
  drive(seconds: number, who: { readonly good: boolean; readonly other: boolean }): void {
    for (let n = 0; n < seconds * RATE; n++) {
      if (n % RATE === 0) {
        this.#receiver.passSecond(Infinity)
        this.#reader.tick?.(this.#now)
      }
      const good = this.#good.frames.next()
      const other = this.#other.frames.next()
      for (const bytes of this.#requests.splice(0)) {
        this.#good.game.heard(bytes, 0, this.#out(GOOD))
        this.#other.game.heard(bytes, 0, this.#out(OTHER))
      }
      if (who.good) this.#good.game.frame(good, this.#out(GOOD))
      if (who.other) this.#other.game.frame(other, this.#out(OTHER))
      this.#now += 1 / RATE
    }
  }

  #out(from: string) {
    return {
      datagram: (bytes: Uint8Array) => {
        const copy = Buffer.from(bytes)
        if (this.#reader.recognises?.(copy) === false) return
        if (from === OTHER) this.foreign++
        this.#receiver.hearFrom(from, copy, this.#reader.kindOf?.(copy))
      },
      // The only TCP connection is with the good game.
      stream: (bytes: Buffer) => {
        const { stream } = this.#reader
        if (from === GOOD && stream !== undefined) this.#receiver.hear(bytes, { datagram: stream })
      }
    }
  }
}

/** The events of the drive. */
const driveIn = (events: ReadonlyArray<SimulatorEvent>) => events.filter(({ _tag }) => _tag !== "Foreign")

/** Datagrams counted as another sender's. */
const foreignIn = (events: ReadonlyArray<SimulatorEvent>) =>
  events.reduce((sum, event) => (event._tag === "Foreign" ? sum + event.datagrams : sum), 0)

describe.each(kinds.map((kind) => [kind.protocol, kind] as const))("%s", (_, kind) => {
  /** The good game sends for a second alone, and then both do. */
  const both = (other: boolean) => {
    const port = new Port(kind)
    port.drive(1, { good: true, other: false })
    port.drive(BOTH_S, { good: true, other })
    return port
  }

  // A second game in the same network must not mix its drive with a recording, or end it.
  it("reads one of two games, and counts the datagrams of the other", () => {
    const port = both(true)
    const events = port.events()
    expect(port.foreign).toBeGreaterThan(BOTH_S * 10)
    expect(foreignIn(events)).toBe(port.foreign)
    expect(timesOf(events).length).toBeGreaterThan(BOTH_S * 10)
    // Vitest's own comparison takes seconds for this many numbers.
    expect(isDeepStrictEqual(driveIn(events), driveIn(both(false).events()))).toBe(true)
  })

  // A game that is started again sends from another port, and must be read.
  it("reads the other game after five seconds without the first", () => {
    const port = both(true)
    const before = port.foreign
    port.drive(4, { good: false, other: true })
    const refused = port.foreign
    port.drive(ALONE_S, { good: false, other: true })
    const events = port.events()
    expect(refused).toBeGreaterThan(before)
    // The receiver reads the other game from the sixth second on, when the silence has lasted for five.
    expect(foreignIn(events)).toBeGreaterThanOrEqual(refused)
    expect(port.foreign - foreignIn(events)).toBeGreaterThan((ALONE_S - 3) * 10)
    expect(timesOf(events).length).toBeGreaterThan((BOTH_S + ALONE_S - 3) * 10)
  })
})
