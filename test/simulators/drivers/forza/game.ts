/** Forza's Data Out: one packet a frame, in the formats of three games. */
import type { Frame, Scene, Send } from "../../../../simulator/emulators/Emulator.ts"
import { DataOut, type Game } from "../../../../simulator/emulators/forza/dataOut.ts"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import { protocol } from "../../../../src/simulators/drivers/forza/ForzaDriver.ts"
import { packets } from "../../../../src/simulators/drivers/forza/layout.ts"
import { scene } from "../emulating.ts"
import { constant, type Expected, type Kind, onWheels, pushed, type Value } from "../suite/kind.ts"

const { circuit, vehicle } = scene

const isShifting = (frame: Frame, before: Frame | undefined) =>
  before !== undefined && frame.gear !== before.gear
const slipRatio = ({ carValue }: Frame, wheel: string) => carValue(`slip_ratio_${wheel}`) / 0.1
const slipAngle = ({ carValue }: Frame, wheel: string) => carValue(`slip_angle_${wheel}`) / 5

const values: Readonly<Record<string, Value>> = {
  ...constant(0, "boost handbrake on_kerb puddle_depth"),
  // While it shifts, the game shows no gear, and the driver the one before.
  gear: (frame, before) => (isShifting(frame, before) ? before!.gear : frame.gear),
  clutch: (frame, before) => (isShifting(frame, before) ? 1 : 0),
  ...onWheels("suspension_fraction", ({ carValue }, wheel) => carValue(`suspension_travel_${wheel}`) / 120),
  ...onWheels("forza_slip_ratio", slipRatio),
  ...onWheels("forza_slip_angle", slipAngle),
  ...onWheels("forza_combined_slip", (frame, wheel) =>
    Math.hypot(slipRatio(frame, wheel), slipAngle(frame, wheel))
  ),
  current_lap: ({ lap }) => lap.lapNumber,
  lap_distance: ({ lapDistance }) => lapDistance,
  lap_time_so_far: ({ lapTime }) => lapTime || ABSENT,
  race_position: () => 1,
  rpm_max: () => vehicle.shiftUp * 1.04,
  rpm_idle: () => vehicle.idle,
  distance: ({ lap, lapDistance }) => (lap.lapNumber - 1) * circuit.length + lapDistance
}

const expected: Omit<Expected, "refused"> = {
  circuit: "",
  vehicle: "Car #9002",
  // The game shows a shift for 50 ms: here in one frame.
  rate: 19,
  channels: 65,
  values,
  within: {
    speed: 0.0001,
    rpm: 0.01,
    throttle: 0.002,
    brake: 0.002,
    steering: 0.004,
    position_x: 0.0001,
    position_y: 0.0001,
    position_z: 0.0001,
    lap_distance: 0.1
  }
}

const ofGame = (game: Game, name: string, more: Partial<Expected>): Kind =>
  pushed(
    name,
    (where: Scene) => {
      const out = new DataOut(game, where)
      return { frame: (frame: Frame, send: Send) => send(out.encode(frame)) }
    },
    protocol,
    {
      ...expected,
      refused: [
        ["bytes that are no packet of Forza's", (good) => good.subarray(2)],
        ...(["speed", "currentLap", "currentRaceTime", "distanceTraveled"] as const).map(
          (name) =>
            [
              "a time, distance or speed that is no number",
              (good: Buffer) => (packets[game].write(good, 0, { [name]: Number.NaN }), good)
            ] as const
        )
      ],
      ...more
    }
  )

export const kinds: ReadonlyArray<Kind> = [
  ofGame("motorsport", "forza-motorsport", { circuit: "Maple Valley - Full Circuit", channels: 69 }),
  ofGame("horizon", "forza-horizon", { circuit: "Forza Horizon" })
]

export const variants: ReadonlyArray<Kind> = [ofGame("motorsport7", "forza-motorsport-7", {})]
