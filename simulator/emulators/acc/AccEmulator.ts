/**
 * Assetto Corsa Competizione's side of its broadcasting protocol: a race of two cars, the one in focus being ours.
 *
 * Like the game, it sends to each client at the requested interval, sends no time before the first lap, and sends only finished
 * splits. A lap's time may come a packet after the lap's end (here for every other lap). A restart begins the session's time again
 * under the same number. In a pause it goes on sending, with a constant session time: the sheet does not say, and this is the
 * harder case.
 */
import type { DrivenLap } from "../../model/lap.ts"
import type { Client, Emulator, EmulatorKind, Frame, Scene, Send } from "../Emulator.ts"
import { LateLap } from "../LateLap.ts"
import { answering } from "../udp.ts"
import { inWorld, type World } from "../World.ts"
import {
  encodeCar,
  encodeEntry,
  encodeEntryList,
  encodeLapCompleted,
  encodeRegistrationResult,
  encodeTrack,
  encodeUpdate
} from "./encode.ts"
import { lapFields, ms, noLap } from "./lapFields.ts"
import { placed, yawOf } from "./place.ts"
import { parseRequest, type Register } from "./requests.ts"

export const WORLD: World = {
  axes: "right-handed, y up",
  steering: undefined,
  source: "acc-broadcasting, section 8, and overview: lines recorded from the game fit five real circuits"
}

export interface AccOptions {
  /** The connection password of the game's broadcasting.json. */
  readonly password: string
  /** So many registrations stay unanswered: the game is loading. */
  readonly deaf: number
}

/** The game's documented port. */
const PASSWORD = "asd"
export const OURS = 1001
export const RIVAL = 1002
/** A Ferrari 296 GT3 and a BMW M4 GT3: the game does not have the bundled simulator's vehicles. */
export const MODEL = 32
const RIVAL_MODEL = 30
const RACE = 10
const SESSION = 5
const SESSION_OVER = 6
const POST_SESSION = 7
/** Time from the last lap to the end of the session, s. */
const COOL_DOWN_S = 5
const SESSION_MS = 3_600_000
/** Neutral is 1 on the wire (sheet, section 6). */
const GEAR_OFFSET = 1
const ON_TRACK = 1
/** In tenths of a degree. */
const CLOUDS = 3
const NOON_S = 43_200
/** Frames come on the grid of their rate; one is due this much early, s. */
const NEARLY_S = 0.001

interface Registered {
  readonly client: Client
  readonly connectionId: number
  /** s. */
  readonly interval: number
  /** When the next update is due. */
  next: number
}

/** Fields that both cars share: they drive equally fast, each at its own place. Only two coordinates are reported, on the ground. */
const carOf = ({ gear, lastLap, speed }: Frame, carIndex: number, place: number, x: number, y: number) => {
  const [worldPosX, , worldPosY] = inWorld(WORLD, x, y, 0)
  return {
    carIndex,
    driverIndex: 0,
    driverCount: 1,
    gear: gear + GEAR_OFFSET,
    worldPosX,
    worldPosY,
    carLocation: ON_TRACK,
    kmh: Math.round(speed),
    laps: lastLap?.lapNumber ?? 0,
    ...placed(place)
  }
}

class AccEmulator implements Emulator {
  readonly #scene: Scene
  readonly #password: string
  #deaf: number
  readonly #registered = new Map<string, Registered>()
  #connections = 0
  #finishedAt: number | undefined
  #best: DrivenLap | undefined
  readonly #late = new LateLap()

  constructor(scene: Scene, { deaf, password }: AccOptions) {
    this.#scene = scene
    this.#password = password
    this.#deaf = deaf
  }

  heard(bytes: Buffer, client: Client, send: Send): void {
    const key = `${client.address} ${client.port}`
    const request = parseRequest(bytes)
    if (request === undefined) return
    if (request.kind === "register") return this.#register(key, request, client, send)
    const registered = this.#registered.get(key)
    const { connectionId = registered?.connectionId } = request
    if (registered === undefined || connectionId !== registered.connectionId) return
    if (request.kind === "unregister") this.#registered.delete(key)
    else if (request.kind === "entryList") this.#tellEntries(registered, send)
    else {
      const { length, name } = this.#scene.circuit
      send(encodeTrack(registered.connectionId, name, Math.round(length)), client)
    }
  }

  frame(frame: Frame, send: Send): void {
    this.#follow(frame)
    const last = this.#late.at(frame)
    if (this.#registered.size === 0) return
    const messages = [this.#update(frame), this.#ours(frame, last), this.#rival(frame)]
    for (const registered of this.#registered.values()) {
      if (frame.upTime < registered.next - NEARLY_S) continue
      registered.next = Math.max(registered.next + registered.interval, frame.upTime)
      for (const message of messages) send(message, registered.client)
    }
    if (!frame.lapEnded || frame.lastLap === undefined) return
    const event = encodeLapCompleted(OURS, ms(frame.lastLap.lapTime))
    for (const { client } of this.#registered.values()) send(event, client)
  }

  #register(
    key: string,
    { connectionPassword, updateIntervalMs }: Register,
    client: Client,
    send: Send
  ): void {
    if (this.#deaf-- > 0) return
    if (connectionPassword !== this.#password) {
      return send(encodeRegistrationResult(-1, "Wrong password"), client)
    }
    const connectionId = ++this.#connections
    this.#registered.set(key, { client, connectionId, interval: updateIntervalMs / 1000, next: 0 })
    send(encodeRegistrationResult(connectionId, ""), client)
  }

  #tellEntries({ client, connectionId }: Registered, send: Send): void {
    const [first = "", ...rest] = this.#scene.driver.split(" ")
    const entry = { carIndex: OURS, carModelType: MODEL, teamName: "Écurie Équinoxe", raceNumber: 51 }
    const rival = { carIndex: RIVAL, carModelType: RIVAL_MODEL, teamName: "Rivals 勝", raceNumber: 7 }
    send(encodeEntryList(connectionId, [OURS, RIVAL]), client)
    send(encodeEntry({ ...entry, drivers: [[first, rest.join(" ")]] }), client)
    send(encodeEntry({ ...rival, drivers: [["Ana", "Rival"]] }), client)
  }

  /** State of the session. */
  #follow({ finished, lapEnded, lastLap, sessionTime }: Frame): void {
    if (finished) this.#finishedAt ??= sessionTime
    else this.#finishedAt = undefined
    if (lastLap === undefined) this.#best = undefined
    else if (lapEnded && lastLap.valid && lastLap.lapTime < (this.#best?.lapTime ?? Infinity))
      this.#best = lastLap
  }

  #update({ finished, sessionTime, carValue }: Frame): Buffer {
    const over = sessionTime - (this.#finishedAt ?? sessionTime)
    return encodeUpdate({
      eventIndex: 0,
      sessionIndex: 0,
      sessionType: RACE,
      phase: over > COOL_DOWN_S ? POST_SESSION : finished ? SESSION_OVER : SESSION,
      sessionTime: sessionTime * 1000,
      sessionEndTime: Math.max(0, SESSION_MS - sessionTime * 1000),
      focusedCarIndex: OURS,
      timeOfDay: NOON_S + sessionTime,
      ambientTemp: Math.round(carValue("air_temperature")),
      trackTemp: Math.round(carValue("track_temperature")),
      clouds: CLOUDS,
      rainLevel: Math.round(carValue("rain") * 10),
      wetness: Math.round(carValue("wetness") * 10),
      bestSessionLap: lapFields(OURS, this.#best)
    })
  }

  #ours(frame: Frame, last: DrivenLap | undefined): Buffer {
    const { lap, sector } = frame
    return encodeCar({
      ...carOf(frame, OURS, 1, frame.x, frame.y),
      yaw: yawOf(frame.carValue("yaw")),
      splinePosition: frame.lapDistance / this.#scene.circuit.length,
      delta: this.#delta(frame),
      bestSessionLap: lapFields(OURS, this.#best),
      lastLap: lapFields(OURS, last),
      currentLap: {
        ...noLap(OURS),
        laptimeMs: Math.floor(frame.lapTime * 1000 + NEARLY_S),
        splits: lap.sectors.slice(0, sector).map(ms)
      }
    })
  }

  /** Delta to the best lap, ms, as if that lap had been driven at constant speed. */
  #delta({ lapDistance, lapTime }: Frame): number {
    if (this.#best === undefined) return 0
    return ms(lapTime - (this.#best.lapTime * lapDistance) / this.#scene.circuit.length)
  }

  /** Half a lap ahead, on the centre line. */
  #rival(frame: Frame): Buffer {
    const { length, nodes, x, y } = this.#scene.circuit
    const position = (frame.lapDistance / length + 0.5) % 1
    const node = Math.floor(position * nodes) % nodes
    return encodeCar({
      ...carOf(frame, RIVAL, 2, x[node]!, y[node]!),
      yaw: 0,
      splinePosition: position,
      delta: 0,
      bestSessionLap: noLap(RIVAL),
      lastLap: noLap(RIVAL),
      currentLap: noLap(RIVAL)
    })
  }
}

export const accEmulator = (scene: Scene, options: Partial<AccOptions> = {}): Emulator =>
  new AccEmulator(scene, { password: PASSWORD, deaf: 0, ...options })

export const acc: EmulatorKind = {
  protocol: "acc",
  port: 9000,
  simulator: "acc",
  world: WORLD,
  extras: { password: PASSWORD },
  serve: answering((scene) => accEmulator(scene))
}
