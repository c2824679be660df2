/**
 * Datagrams that a game sends while the service, or its machine, is held up arrive all at once afterwards. No point of them is
 * lost, and points of games with their own clock have the same times as without the hold-up.
 */
import { expect, it } from "@effect/vitest"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { Frames } from "../../../simulator/emulators/frames.ts"
import { discarded, eventsOf } from "../drivers/suite/events.ts"
import { framesOptions, RATE, scene } from "../drivers/emulating.ts"
import { kinds } from "../drivers/index.ts"
import type { Kind } from "../drivers/suite/kind.ts"
import { owned } from "../sinks.ts"
import { timesOf } from "./udp.ts"

const DRIVE_S = 12
/** The hold-ups, s since the begin. */
const HELD = [
  [3, 3.3],
  [6, 7]
] as const

/** The events of a drive. A datagram that is sent during a hold-up arrives at its end. */
const eventsWith = (kind: Kind, held: typeof HELD | readonly []) => {
  const game = kind.game(scene)
  const frames = new Frames(framesOptions({ laps: 1 }))
  const buffer = new EventBuffer()
  const events: Array<SimulatorEvent> = []
  const requests: Array<Buffer> = []
  const reader = kind.open(scene, (bytes) => requests.push(Buffer.from(bytes)))
  let sentAt = 0
  /** Time passes between the datagrams of a frame, so that a hold-up may begin between two of them. */
  const arrival = () => {
    sentAt += 1e-4
    const over = held.find(([from, until]) => sentAt >= from && sentAt < until)
    return 1000 + (over === undefined ? sentAt : over[1])
  }
  const out = {
    datagram: (bytes: Uint8Array) => {
      const copy = Buffer.from(bytes)
      const at = arrival()
      if (reader.recognises?.(copy) !== false) reader.datagram(copy, at, buffer)
      events.push(...buffer.take().map(owned))
    },
    stream: (bytes: Buffer) => reader.stream?.(bytes, arrival(), buffer)
  }
  for (let n = 0; n < DRIVE_S * RATE; n++) {
    // The first datagrams of a frame come just before a hold-up, and the others within it.
    sentAt = n / RATE - 2e-4
    if (n % RATE === 0) reader.tick?.(1000 + sentAt)
    const frame = frames.next()
    for (const bytes of requests.splice(0)) game.heard(bytes, 0, out)
    game.frame(frame, out)
  }
  events.push(...buffer.take().map(owned))
  return events
}

it.each(kinds.map((kind) => [kind.protocol, kind] as const))("%s", (_, kind) => {
  const usual = eventsWith(kind, [])
  const events = eventsWith(kind, HELD)
  const [expected, times] = [timesOf(usual), timesOf(events)]
  expect(expected.length).toBeGreaterThan((DRIVE_S - 3) * 10)
  expect(discarded(events)).toBe(discarded(usual))
  expect(times).toHaveLength(expected.length)
  expect(eventsOf(events, "SessionStarted")).toHaveLength(1)
  const off = times.map((time, n) => Math.abs(time - expected[n]!))
  expect(Math.max(...off)).toBeLessThan(kind.clockless ? 1.1 : 0.1)
})
