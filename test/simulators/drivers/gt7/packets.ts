/** Packets of Gran Turismo 7 made by hand, and the events that they give. */
import { expect } from "vitest"
import { encrypt } from "../../../../simulator/emulators/gt7/packets.ts"
import { Gt7Interpreter } from "../../../../src/simulators/drivers/gt7/Gt7Interpreter.ts"
import { type Heartbeat, packets } from "../../../../src/simulators/drivers/gt7/layout.ts"
import { interpret } from "../interpreting.ts"
import { eventsOf, recorded } from "../suite/events.ts"

export const ON_TRACK = 1
export const PAUSED = 2
export const LOADING = 4

interface Values {
  readonly id: number
  readonly lap: number
  /** ms. */
  readonly last: number
  readonly current: number
  readonly flags: number
  readonly car: number
  /** m/s. */
  readonly speed: number
  /** Both nibbles. */
  readonly gears: number
  /** m. */
  readonly x: number
}

export const packet = (more: Partial<Values>, heartbeat: Heartbeat = "A"): Buffer => {
  const values = {
    id: 0,
    lap: 1,
    last: -1,
    current: -1,
    flags: ON_TRACK,
    car: 3582,
    speed: 50,
    gears: 4,
    x: 0,
    ...more
  }
  const plain = Buffer.alloc(packets[heartbeat].size)
  plain.write("0S7G", "latin1")
  plain.writeFloatLE(values.x, 0x04)
  plain.writeFloatLE(values.speed, 0x4c)
  plain.writeInt32LE(values.id, 0x70)
  plain.writeInt16LE(values.lap, 0x74)
  plain.writeInt32LE(values.last, 0x7c)
  plain.writeInt16LE(values.flags, 0x8e)
  plain.writeUInt8(values.gears, 0x90)
  plain.writeInt32LE(values.car, 0x124)
  if (heartbeat === "C") plain.writeInt32LE(values.current, 0x15c)
  return encrypt(plain, heartbeat)
}

/** `count` packets of driving, numbered from `from` on. */
export const driven = (
  from: number,
  count: number,
  more: Partial<Values> = {}
): ReadonlyArray<Partial<Values>> => Array.from({ length: count }, (_, i) => ({ ...more, id: from + i }))

export const eventsOfPackets = (
  sent: ReadonlyArray<Partial<Values>>,
  heartbeat?: Heartbeat,
  replays = false
) =>
  interpret(
    new Gt7Interpreter(900, replays),
    sent.map((one) => packet(one, heartbeat))
  )
export const reported = (sent: ReadonlyArray<Partial<Values>>, heartbeat?: Heartbeat) =>
  eventsOf(eventsOfPackets(sent, heartbeat), "LapCompleted")
export const tags = (sent: ReadonlyArray<Partial<Values>>) =>
  eventsOfPackets(sent).flatMap(({ _tag }) => (["Rows", "ChannelsDeclared"].includes(_tag) ? [] : [_tag]))
export const onlySession = (sent: ReadonlyArray<Partial<Values>>, heartbeat?: Heartbeat) => {
  const sessions = recorded(eventsOfPackets(sent, heartbeat))
  expect(sessions).toHaveLength(1)
  return sessions[0]!
}
