/**
 * Assetto Corsa's side of its remote telemetry: answers handshakes, and sends to subscribers.
 *
 * Like the game, it repeats the track's name as the layout's name, may report a lap's time a packet after the lap's end (here for
 * every other lap), and keeps the lap time constant in a pause. The sheet does not say whether the game goes on sending in a pause;
 * this emulator does, which is the harder case.
 */
import { operations, request } from "../../../src/simulators/drivers/assetto-corsa/layout.ts"
import type { FieldValues } from "../../../src/simulators/packets/Struct.ts"
import type { Client, Emulator, EmulatorKind, Frame, Scene, Send } from "../Emulator.ts"
import { LateLap } from "../LateLap.ts"
import { answering } from "../udp.ts"
import { ofWheels, positionOf, vectorsIn } from "../values.ts"
import { steeringIn, type World } from "../World.ts"
import { encodeAnswer, encodeCarInfo, encodeSpot } from "./encode.ts"

export const WORLD: World = {
  axes: "right-handed, y up",
  steering: "right",
  source: "assetto-corsa-remote-telemetry, section 5 and addendum: measured on a real lap of Monza"
}

const vector = vectorsIn(WORLD)
/** Degrees from the middle to either side, of a wheel that turns 900. */
const HALF_LOCK = 450
const KMH = 3.6
const MPH = 1.609344
/** Slip of the tyres before they lose grip: along, and across in degrees. */
const LIMIT = { ratio: 0.1, angle: 5 }
/** Inward lean of the wheels at the top, rad, and deflection of a tyre under its load, m. */
const CAMBER = -0.05
const GIVES = 0.01
/** Height of the centre of mass above the road, m. */
const CENTRE = 0.42
/** The other car of the session, whose laps are sent too. */
const RIVAL = { driver: "Rival %1", car: "abarth500", slower: 1.02 }
/** Moments of the drive are doubles that may lie just before their millisecond. */
const NEARLY_MS = 1e-6

const ms = (seconds: number | undefined): number => Math.round((seconds ?? 0) * 1000)

class AssettoCorsaEmulator implements Emulator {
  readonly #scene: Scene
  readonly #updates = new Map<string, Client>()
  readonly #spots = new Map<string, Client>()
  readonly #late = new LateLap()

  constructor(scene: Scene) {
    this.#scene = scene
  }

  heard(bytes: Buffer, from: Client, send: Send): void {
    if (bytes.length !== request.size) return
    const { circuit, driver, vehicle } = this.#scene
    const key = `${from.address} ${from.port}`
    switch (request.read.operationId(bytes)) {
      case operations.handshake: {
        const [carName, trackName] = [vehicle.name, circuit.name]
        return send(encodeAnswer({ carName, driverName: driver, trackName, trackConfig: trackName }), from)
      }
      case operations.subscribeUpdates:
        return void this.#updates.set(key, from)
      case operations.subscribeSpots:
        return void this.#spots.set(key, from)
      case operations.dismiss:
        this.#updates.delete(key)
        this.#spots.delete(key)
    }
  }

  frame(frame: Frame, send: Send): void {
    if (this.#updates.size > 0) {
      const info = this.#carInfo(frame)
      for (const client of this.#updates.values()) send(info, client)
    }
    if (!frame.lapEnded || frame.lastLap === undefined) return
    const { driver, vehicle } = this.#scene
    const { lapNumber: lap, lapTime } = frame.lastLap
    const spots = [
      encodeSpot(driver, vehicle.name, { carIdentifierNumber: 0, lap, time: ms(lapTime) }),
      encodeSpot(RIVAL.driver, RIVAL.car, { carIdentifierNumber: 1, lap, time: ms(lapTime * RIVAL.slower) })
    ]
    for (const client of this.#spots.values()) for (const spot of spots) send(spot, client)
  }

  #carInfo(frame: Frame): Buffer {
    const { lastLap, carValue } = frame
    return encodeCarInfo(
      {
        speedKmh: frame.speed,
        speedMph: frame.speed / MPH,
        speedMs: frame.speed / KMH,
        isAbsEnabled: 1,
        isTcEnabled: 1,
        // To the left, contrary to its name; and up.
        accGVertical: -carValue("g_lateral"),
        accGHorizontal: carValue("g_vertical"),
        accGFrontal: carValue("g_longitudinal"),
        lapTime: Math.floor(frame.lapTime * 1000 + NEARLY_MS),
        lastLap: ms(this.#late.at(frame)?.lapTime),
        bestLap: ms(frame.bestLap),
        lapCount: lastLap?.lapNumber ?? 0,
        gas: frame.throttle,
        brake: frame.brake,
        clutch: 1,
        engineRPM: frame.rpm,
        steer: steeringIn(WORLD, frame.steering) * HALF_LOCK,
        gear: frame.gear + 1,
        cgHeight: CENTRE,
        carPositionNormalized: frame.lapDistance / this.#scene.circuit.length,
        ...vector("carCoordinates", positionOf(frame)),
        ...this.#wheels(frame)
      },
      frame.index
    )
  }

  #wheels(frame: Frame): FieldValues {
    const { grip, wheelRadius } = this.#scene.vehicle
    return ofWheels(["1", "2", "3", "4"], frame, (of) => {
      const [slipAngle, slipRatio] = [of("slip_angle"), of("slip_ratio")]
      return {
        wheelAngularSpeed: of("wheel_rotation"),
        slipAngle,
        slipRatio,
        ndSlip: Math.hypot(slipRatio / LIMIT.ratio, slipAngle / LIMIT.angle),
        load: of("wheel_load"),
        Dy: grip,
        camberRAD: CAMBER,
        tyreRadius: wheelRadius,
        tyreLoadedRadius: wheelRadius - GIVES,
        suspensionHeight: of("suspension_travel") / 1000
      }
    })
  }
}

export const assettoCorsaEmulator = (scene: Scene): Emulator => new AssettoCorsaEmulator(scene)

export const assettoCorsa: EmulatorKind = {
  protocol: "assetto-corsa",
  port: 9996,
  simulator: "assetto-corsa",
  world: WORLD,
  serve: answering(assettoCorsaEmulator)
}
