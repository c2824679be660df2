/** Gran Turismo 7: the console sends the format that a heartbeat requests, of four. */
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"
import { emulator } from "../../../../simulator/emulators/gt7/emulator.ts"
import { wheels } from "../../../../simulator/model/chassis.ts"
import { protocol } from "../../../../src/simulators/drivers/gt7/Gt7Driver.ts"
import { Gt7Interpreter } from "../../../../src/simulators/drivers/gt7/Gt7Interpreter.ts"
import type { Heartbeat } from "../../../../src/simulators/drivers/gt7/layout.ts"
import { GAME_RATE, scene } from "../emulating.ts"
import { linkOptions, opened } from "../interpreting.ts"
import { askedGame, type Expected, type Kind } from "../suite/kind.ts"

const steeringAngle = ({ steering }: Frame) => steering * 450
const wheelAngle = (frame: Frame) => steeringAngle(frame) / scene.vehicle.steeringRatio
const zero = () => 0

const expected: Expected = {
  circuit: "",
  vehicle: "GT7 car 9002",
  // The console numbers sixty frames a second, and a number is a time.
  rate: GAME_RATE,
  channels: 53,
  // Ten packets of loading come first.
  around: 10,
  values: {
    steering_angle: steeringAngle,
    clutch: zero,
    handbrake: zero,
    tc_active: zero,
    boost: "absent",
    engine_speed_fraction: ({ rpm }) => Math.min(1, Math.max(0, (rpm / scene.vehicle.shiftUp - 0.95) / 0.05)),
    on_kerb: zero,
    surface: () => 84,
    ...Object.fromEntries(
      wheels.map((wheel) => [
        `suspension_travel_${wheel}`,
        ({ carValue }: Frame) => 250 + carValue(`suspension_travel_${wheel}`)
      ])
    ),
    current_lap: ({ lap }) => lap.lapNumber,
    lap_time_so_far: ({ lapTime }) => lapTime,
    time_of_day: zero,
    session_laps: "absent",
    rpm_max: () => scene.vehicle.shiftUp,
    fuel_capacity: ({ carValue }) => carValue("fuel") / carValue("fuel_fraction"),
    gt7_body_height: ({ carValue }) => (carValue("ride_height_front") + carValue("ride_height_rear")) / 2,
    gt7_clutch_engagement: () => 1,
    gt7_clutch_rpm: ({ rpm }) => rpm,
    gt7_suggested_gear: "absent",
    gt7_top_speed: "absent",
    gt7_rev_limiter: zero,
    gt7_asm_active: zero,
    gt7_lights: zero,
    gt7_steering_rate: (frame, before) =>
      before === undefined ? Number.NaN : (steeringAngle(frame) - steeringAngle(before)) * GAME_RATE,
    gt7_throttle_pressed: ({ throttle }) => throttle,
    gt7_brake_applied: ({ brake }) => brake,
    gt7_wheel_angle: wheelAngle
  },
  within: {
    throttle: 0.002,
    brake: 0.002,
    engine_speed_fraction: 0.01,
    gt7_throttle_pressed: 0.002,
    gt7_brake_applied: 0.002,
    rpm_max: 0.5
  },
  refused: [
    ["", (good) => good.subarray(0, 7)],
    ["", (good) => Buffer.from(good.map((byte) => byte ^ 0x55))]
  ]
}

/** A console whose listener requests one format, whatever the driver would. */
const inFormat = (heartbeat: Heartbeat, more: Partial<Expected>): Kind =>
  askedGame(
    `gt7 in format ${heartbeat}`,
    emulator,
    (send) =>
      Object.assign(new Gt7Interpreter(900), {
        open: () => undefined,
        tick: () => send(Buffer.from(heartbeat, "latin1")),
        sendDisconnect: () => undefined,
        state: () => ({ _tag: "Waiting" }) as const
      }),
    protocol.silentAfter,
    { ...expected, ...more }
  )

export const kinds: ReadonlyArray<Kind> = [
  askedGame(
    "gt7",
    emulator,
    (send) => opened(protocol.conversation(linkOptions()), send),
    protocol.silentAfter,
    expected
  )
]

export const variants: ReadonlyArray<Kind> = [
  inFormat("A", { channels: 48, absent: ["steering"] }),
  inFormat("~", { channels: 55 }),
  inFormat("C", { channels: 66 })
]
