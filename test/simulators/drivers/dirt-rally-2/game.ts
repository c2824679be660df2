/** DiRT Rally 2.0: 264 bytes of a stage, or of laps of rallycross; DiRT Rally of 2015 sends the same. */
import { DirtRally2Emulator, type Discipline } from "../../../../simulator/emulators/dirt-rally-2/emulator.ts"
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import { protocol } from "../../../../src/simulators/drivers/dirt-rally-2/DirtRally2Driver.ts"
import { packet } from "../../../../src/simulators/drivers/dirt-rally-2/layout.ts"
import type { PushProtocol } from "../../../../src/simulators/udp/Protocol.ts"
import { scene } from "../emulating.ts"
import { type Expected, type Kind, pushed, type Value } from "../suite/kind.ts"

const { circuit, vehicle } = scene
const zero = () => 0
const sectorTime =
  (sector: 0 | 1): Value =>
  (frame) =>
    frame.sector > sector ? frame.lap.sectors[sector] : ABSENT
/** The last of a rally stage's four parts is the second half of our third. */
const partOf = ({ lap, lapTime, sector }: Frame) =>
  lapTime > lap.lapTime - lap.sectors[2] / 2 ? 4 : sector + 1

/** Of a stage whose car moves where it points, on a level road. */
const stage: Expected = {
  circuit: "",
  vehicle: "",
  channels: 39,
  // A quarter of a second behind the first finish.
  around: 5,
  values: {
    yaw: ({ heading }) => 90 - (heading * 180) / Math.PI,
    pitch: zero,
    roll: zero,
    velocity_x: ({ heading, speed }) => (Math.cos(heading) * speed) / 3.6,
    velocity_y: ({ heading, speed }) => (Math.sin(heading) * speed) / 3.6,
    velocity_z: zero,
    velocity_forward: ({ speed }) => speed / 3.6,
    velocity_right: zero,
    clutch: zero,
    current_lap: "absent",
    lap_distance: ({ lapDistance }) => lapDistance,
    lap_fraction: ({ lapDistance }) => lapDistance / circuit.length,
    lap_time_so_far: ({ lapTime }) => lapTime,
    sector: partOf,
    last_lap_time: "absent",
    sector1_time: sectorTime(0),
    sector2_time: sectorTime(1),
    distance: ({ lapDistance }) => lapDistance,
    rpm_max: () => Math.round(vehicle.shiftUp * 1.04),
    rpm_idle: () => vehicle.idle,
    gears: () => vehicle.ratios.length
  },
  within: { rpm: 0.01, speed: 0.001, position_x: 0.001, position_y: 0.001, position_z: 0.001 },
  refused: [
    ["a packet has 264 bytes, not 263", (good) => good.subarray(1)],
    ["a packet has 264 bytes, not 265", (good) => Buffer.concat([good, Buffer.of(0)])],
    ...(["totalTime", "lapTime", "distance", "progress"] as const).map(
      (name) =>
        [
          "a time or distance that is no number",
          (good: Buffer) => (packet.write(good, 0, { [name]: Number.NaN }), good)
        ] as const
    )
  ]
}

const kindOf = (
  name: string,
  discipline: Discipline,
  of: PushProtocol,
  values: Readonly<Record<string, Value>> = {},
  more: Partial<Kind> = { counts: false }
): Kind =>
  pushed(
    name,
    (where) => new DirtRally2Emulator(where, discipline),
    of,
    { ...stage, values: { ...stage.values, ...values } },
    { sectors: true, ...more }
  )

/** Without sectors. */
export const stageOf2015 = (of: PushProtocol): Kind =>
  kindOf("dirt-rally", "rally of 2015", of, {
    sector: () => 1,
    sector1_time: "absent",
    sector2_time: "absent"
  })

export const kinds: ReadonlyArray<Kind> = [
  kindOf("dirt-rally-2", "rally", protocol),
  kindOf(
    "dirt-rally-2-rallycross",
    "rallycross",
    protocol,
    {
      current_lap: ({ lap }) => lap.lapNumber,
      lap_fraction: "absent",
      sector: ({ sector }) => sector + 1,
      last_lap_time: ({ lastLap }) => lastLap?.lapTime ?? ABSENT
    },
    {}
  )
]
