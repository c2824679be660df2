/** Live for Speed: InSim over TCP, OutGauge and OutSim over UDP; the player chooses how much OutSim sends. */
import type { Frame, Scene } from "../../../../simulator/emulators/Emulator.ts"
import { type GameOptions, LfsGame } from "../../../../simulator/emulators/lfs/LfsGame.ts"
import { GRAVITY } from "../../../../simulator/model/forces.ts"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import { LfsConversation } from "../../../../src/simulators/drivers/lfs/LfsConversation.ts"
import type { LinkOptions } from "../../../../src/simulators/Driver.ts"
import { scene } from "../emulating.ts"
import { linkOptions } from "../interpreting.ts"
import {
  constant,
  type Expected,
  type Game,
  type Kind,
  onWheels,
  type Out,
  placeBefore,
  sectorTime
} from "../suite/kind.ts"

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The car's speed over the ground along a direction, which is so much to the right of its nose, degrees. */
const velocityAt =
  (right: number) =>
  ({ carValue }: Frame) => {
    const angle = radians(carValue("yaw") + right)
    return carValue("velocity_x") * Math.sin(angle) + carValue("velocity_y") * Math.cos(angle)
  }

const expected: Expected = {
  circuit: "Fern Bay Club reversed",
  vehicle: "Formula V8",
  started: { driver: scene.driver },
  begin: 0,
  channels: 32,
  values: {
    ...constant(0, "clutch handbrake abs_active tc_active pit_limiter lfs_lean steering_torque"),
    ...constant(1, "race_position"),
    ...constant("absent", "boost in_pit"),
    // Reported with the first split.
    pit_stops: ({ lap, sector }) => (lap.lapNumber > 1 || sector > 0 ? 0 : ABSENT),
    engine_temperature: ({ carValue }) => carValue("water_temperature"),
    current_lap: ({ lap }) => lap.lapNumber,
    lap_distance: ({ lapDistance }) => lapDistance,
    sector1_time: sectorTime(0),
    sector2_time: sectorTime(1),
    velocity_forward: velocityAt(0),
    velocity_right: velocityAt(90),
    lfs_angular_velocity_x: ({ carValue }) => radians(carValue("pitch_rate")),
    lfs_angular_velocity_y: ({ carValue }) => radians(carValue("roll_rate")),
    lfs_acceleration_z: ({ carValue }) => carValue("g_vertical") * GRAVITY,
    ...onWheels("tyre_air_temperature", ({ carValue }, wheel) => carValue(`tyre_temperature_${wheel}`))
  },
  within: { speed: 0.0001, rpm: 0.01, tyre_air_temperature: 0.51 },
  refused: [
    ["a datagram of 3 bytes that is neither OutGauge, OutSim nor MCI", (good) => good.subarray(0, 3)],
    [" bytes", (good) => good.subarray(0, good.length - 1)]
  ]
}

/** Over TCP and UDP: a link that greets becomes a client, to which the game answers over both. */
const lfsGame =
  (options: Partial<GameOptions>) =>
  (scene: Scene): Game => {
    const game = new LfsGame(scene, options)
    const clients = new Map<number, ReturnType<LfsGame["connect"]>>()
    let out: Out
    return {
      frame: (frame, to) => {
        out = to
        game.frame(frame)
      },
      heard: (bytes, link, to) => {
        out = to
        const client =
          clients.get(link) ??
          game.connect({
            tcp: (chunk) => out.stream(Buffer.from(chunk), link),
            udp: (datagram) => out.datagram(datagram),
            close: () => undefined
          })
        clients.set(link, client)
        client.heard(bytes)
      }
    }
  }

const UDP_PORT = 30_000

/** A game of these options, and a link of the service's options. */
export const lfs = (
  game: Partial<GameOptions>,
  protocol = "lfs",
  more: Partial<Expected> = {},
  options: Partial<LinkOptions> = {}
): Kind => ({
  protocol,
  game: lfsGame(game),
  open: (_, send) => {
    const conversation = new LfsConversation(linkOptions(options), send)
    conversation.greet(UDP_PORT)
    return {
      datagram: (bytes, arrival, events) => conversation.datagram(bytes, arrival, events),
      stream: (chunk, arrival, events) => conversation.stream(chunk, arrival, events),
      kindOf: (bytes) => conversation.kindOf(bytes),
      simulator: () => conversation.simulator(),
      sendDisconnect: () => conversation.sendDisconnect()
    }
  },
  silentAfter: 70,
  precise: 0.0011,
  counts: true,
  clockless: false,
  sectors: true,
  expected: { ...expected, ...more }
})

export const kinds: ReadonlyArray<Kind> = [lfs({ outSim: "full" }, "lfs", { channels: 62 })]

/** The wheel's steering is in OutSim 2 alone. */
export const variants: ReadonlyArray<Kind> = [
  lfs({ outSim: "classic" }, "lfs with classic OutSim", { absent: ["steering"] }),
  lfs({ outSim: "elsewhere" }, "lfs without OutSim", {
    absent: ["steering"],
    channels: 21,
    // MCI comes behind the OutGauge packet of its frame.
    values: {
      ...expected.values,
      ...placeBefore,
      yaw: (_, before) => 90 - (before?.heading ?? ABSENT) * (180 / Math.PI),
      yaw_rate: () => 0,
      velocity_right: () => 0
    },
    within: { ...expected.within, yaw: 0.01 }
  })
]
