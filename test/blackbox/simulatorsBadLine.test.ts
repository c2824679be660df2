/**
 * Real simulators on a bad line, in real time: the answers over HTTP are compared with their drive. Part of
 * `npm run test:long`.
 */
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SimulatedDrive } from "../../simulator/model/SimulatedDrive.ts"
import {
  circuit,
  connectedEmulators,
  driverOf,
  SEED,
  type Session,
  tried,
  vehicle
} from "../support/emulated.ts"
import * as Box from "../support/processes.ts"

interface Lap {
  readonly id: number
  readonly lap_number: number
  readonly lap_time: number | null
  readonly sector1_time: number | null
  readonly sector2_time: number | null
  readonly sector3_time: number | null
  readonly valid: boolean
}
/** Laps that a busy machine may spoil: so many more may have been driven than were counted. */
const SPOILT_LAPS = 12
/** A moment in the third lap of the first session. */
const RESTART_S = 120
const BAD_LINE =
  `--loss 0.02 --reorder 0.02 --duplicate 0.01 --garbage 0.01 --pause 70:3 --restart ${RESTART_S}`.split(" ")

/** The precision of a protocol's values. */
interface Expected {
  /** s */
  readonly lapTime: number
  /** Precision of the simulator's own sectors; undefined if the recorder derives them. */
  readonly sectors?: number
}

const MS = 0.0011
const usual: Expected = { lapTime: MS }
const expectations: Readonly<Record<string, Expected>> = {
  // Its last sector is a difference of rounded times.
  "f1-2025": { lapTime: MS, sectors: 2 * MS },
  lfs: { lapTime: MS, sectors: MS }
}

/** Twice the area that a closed line encloses, positive where it runs counter-clockwise. */
const area = (points: ReadonlyArray<Box.Point>): number =>
  points.reduce((sum, { position_x: x, position_y: y }, n) => {
    const next = points[(n + 1) % points.length]!
    return sum + x! * next["position_y"]! - next["position_x"]! * y!
  }, 0)

const driven = (seed: number) => {
  const drive = new SimulatedDrive({ circuit, vehicle, seed })
  const { batch } = drive.points(
    Math.ceil(drive.lap(2).start * 60),
    Math.floor(drive.lap(2).lapTime * 60),
    60
  )
  const x = batch.column("position_x")
  const y = batch.column("position_y")
  const points = Array.from(x, (_, n) => ({ position_x: x[n]!, position_y: y[n]! }))
  return {
    lap: (n: number) => drive.lap(n),
    area: area(points),
    fastest: Math.max(...batch.column("speed"))
  }
}

class Emulated extends Context.Tag("test/Emulated")<Emulated, Box.Running>() {
  static readonly layer = Layer.scoped(this, connectedEmulators(...BAD_LINE))
}

const sessionsOf = (service: Box.Running, protocol: string) =>
  Effect.map(
    Box.get<{ readonly items: ReadonlyArray<Session> }>(
      service,
      `/sessions?driver=${encodeURIComponent(driverOf(protocol))}`
    ),
    ({ items }) => [...items].reverse()
  )

const lapsOf = (service: Box.Running, protocol: string) =>
  Effect.flatMap(sessionsOf(service, protocol), (sessions) =>
    Effect.forEach(sessions, (session) =>
      Effect.map(Box.get<ReadonlyArray<Lap>>(service, `/${session.id}/laps`), (laps) => ({
        session,
        laps: laps.filter(({ lap_time, valid }) => lap_time !== null && valid)
      }))
    )
  )

/** The lap of the drive that a recorded one is, by its time. */
const expectDriven = (lap: Lap, seed: number, protocol: string) => {
  const { lapTime, sectors } = expectations[protocol] ?? usual
  const model = driven(seed)
  const seconds = lap.lap_time!
  const laps = Array.from({ length: lap.lap_number + SPOILT_LAPS }, (_, n) => model.lap(n + 1))
  const closest = laps.reduce((best, one) =>
    Math.abs(one.lapTime - seconds) < Math.abs(best.lapTime - seconds) ? one : best
  )
  expect(Math.abs(closest.lapTime - seconds)).toBeLessThan(lapTime)
  if (sectors !== undefined) {
    const recorded = [lap.sector1_time, lap.sector2_time, lap.sector3_time]
    closest.sectors.forEach((time, n) => expect(Math.abs(recorded[n]! - time)).toBeLessThan(sectors))
  }
  return closest.lapNumber
}

const expectMap = Effect.fn(function* (service: Box.Running, lap: Lap) {
  const { points } = yield* Box.get<{ readonly points: ReadonlyArray<Box.Point> }>(
    service,
    `/${lap.id}/telemetry`
  )
  const model = driven(SEED)
  // The same way round, and as large: neither mirrored nor in other units.
  expect(area(points) / model.area).toBeGreaterThan(0.97)
  expect(area(points) / model.area).toBeLessThan(1.03)
  const most = (channel: string) => Math.max(...points.map((point) => Math.abs(point[channel]!)))
  expect(most("speed") / model.fastest).toBeGreaterThan(0.97)
  expect(most("speed") / model.fastest).toBeLessThan(1.03)
  for (const channel of ["rpm", "throttle", "steering"] as const) {
    expect(most(channel)).toBeGreaterThan(0)
  }
  expect(most("throttle")).toBeLessThanOrEqual(1)
  expect(most("steering")).toBeLessThanOrEqual(1)
})

/** Laps after the restart that every protocol gives, though a busy machine may spoil one for it. */
const SURE = 2

layer(Emulated.layer, { excludeTestServices: true })(
  "a simulator on a bad line, paused once and restarted once",
  (it) => {
    it.scoped.each(tried.map(({ protocol }) => protocol))(
      "%s: laps, sectors, names and map as driven, before the restart and after it",
      (protocol) =>
        Effect.gen(function* () {
          const service = yield* Emulated
          const sessions = yield* Box.until(
            lapsOf(service, protocol),
            (found) => found.length >= 2 && found.slice(1).flatMap(({ laps }) => laps).length >= SURE
          )
          const [before, ...after] = sessions
          expect(before!.laps.length).toBeGreaterThan(0)
          const seeded = [
            ...before!.laps.map((lap) => ({ lap, seed: SEED })),
            ...after.flatMap(({ laps }) => laps).map((lap) => ({ lap, seed: SEED + 1 }))
          ]
          const numbers = seeded.map(({ lap, seed }) => `${seed} ${expectDriven(lap, seed, protocol)}`)
          expect(new Set(numbers).size).toBe(numbers.length)
          yield* expectMap(service, seeded.at(-1)!.lap)
          for (const { session } of sessions) {
            expect(session.circuit).not.toBe("Unknown")
            expect(session.vehicle).not.toBe("Unknown")
          }
        })
    )
  }
)
