/** Assetto Corsa Competizione: a client registers, and gets the session and each car at the interval that it asked for. */
import { accEmulator, type AccOptions } from "../../../../simulator/emulators/acc/AccEmulator.ts"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import { AccInterpreter } from "../../../../src/simulators/drivers/acc/AccInterpreter.ts"
import { protocol } from "../../../../src/simulators/drivers/acc/AccDriver.ts"
import { scene } from "../emulating.ts"
import { linkOptions, opened } from "../interpreting.ts"
import { askedGame, type Expected, type Kind } from "../suite/kind.ts"

const { length, name } = scene.circuit
const MS = 0.0011
/** A whole ms, rounded. */
const ROUNDED = 0.0006
const zero = () => 0
const one = () => 1

const expected: Expected = {
  circuit: name,
  vehicle: "Ferrari 296 GT3",
  absent: ["rpm", "throttle", "brake", "steering", "position_z"],
  channels: 32,
  learned: ["yaw", "session_time_left"],
  values: {
    current_lap: ({ lap }) => lap.lapNumber,
    lap_distance: ({ lapDistance }) => (lapDistance / length) * Math.round(length),
    lap_fraction: ({ lapDistance }) => lapDistance / length,
    lap_time_so_far: ({ lapTime }) => lapTime,
    delta_to_best: ({ bestLap, lapDistance, lapTime }) =>
      bestLap === undefined ? ABSENT : lapTime - (bestLap * lapDistance) / length,
    race_position: one,
    pit_status: zero,
    lap_invalid: zero,
    session_time: ({ sessionTime }) => sessionTime,
    session_time_left: ({ sessionTime }) => 3600 - sessionTime,
    time_of_day: ({ sessionTime }) => 43_200 + sessionTime,
    air_temperature: ({ carValue }) => Math.round(carValue("air_temperature")),
    track_temperature: ({ carValue }) => Math.round(carValue("track_temperature")),
    acc_clouds: () => 0.3,
    acc_cup_position: one,
    acc_track_position: one,
    acc_driver: one,
    acc_out_lap: zero,
    acc_in_lap: zero,
    acc_valid_for_best: one,
    acc_session_best_lap_time: ({ bestLap }) => bestLap ?? ABSENT,
    acc_session_type: () => 10,
    acc_phase: () => 5
  },
  within: {
    speed: 0.5,
    position_x: 0.0005,
    position_y: 0.0005,
    lap_time_so_far: MS,
    delta_to_best: MS,
    last_lap_time: ROUNDED,
    best_lap_time: ROUNDED,
    acc_session_best_lap_time: ROUNDED,
    sector1_time: ROUNDED,
    sector2_time: ROUNDED,
    session_time: ROUNDED,
    session_time_left: 0.002,
    time_of_day: 0.005
  },
  refused: [
    ["a message of type 99 and 3 bytes that cannot be read", () => Buffer.of(99, 1, 2)],
    ["of type 3 and 1 bytes that cannot be read", () => Buffer.of(3)],
    ["of type 5 and 9 bytes that cannot be read", () => Buffer.of(5, 1, 0, 0, 0, 5, 0, 77, 111)],
    ["of type 7 and 2 bytes that cannot be read", () => Buffer.of(7, 5)],
    ["and 2 bytes that cannot be read", (good) => good.subarray(0, 2)],
    ["of type none and 0 bytes that cannot be read", () => Buffer.alloc(0)]
  ]
}

/** A game with another password or one that is still loading, or a link at another rate. */
export const kindOf = (game: Partial<AccOptions> = {}, rate = 60): Kind =>
  askedGame(
    "acc",
    (of) => accEmulator(of, game),
    (send) => opened(new AccInterpreter(linkOptions({ rate, options: { password: "asd" } })), send),
    protocol.silentAfter,
    expected,
    { sectors: true }
  )

export const kinds: ReadonlyArray<Kind> = [kindOf()]
