/**
 * One link to Assetto Corsa Competizione: it registers, requests entries and track, and passes each message on.
 * `FollowedCar` turns the updates of the followed car into points and laps.
 */
import type { LinkOptions } from "../../Driver.ts"
import type { EventBuffer } from "../../EventBuffer.ts"
import type { Conversation } from "../../udp/Protocol.ts"
import type { ValuesOf } from "../../packets/Sequence.ts"
import { Entries } from "./Entries.ts"
import { FollowedCar } from "./FollowedCar.ts"
import {
  broadcastingEvent,
  carUpdate,
  type EntryList,
  entryList,
  entryListCar,
  PROTOCOL_VERSION,
  registration,
  registrationResult,
  request,
  readCar,
  readSession,
  requestTypes,
  trackData,
  types
} from "./layout.ts"
import { read } from "./options.ts"

/** The shortest update interval that is requested, ms; the game's frames are only a little shorter. */
const MIN_INTERVAL_MS = 10
/** Minimum time between two requests for entries and track, s. */
const ASK_EVERY_S = 1

/** The car of an update. Most updates are of cars that are not recorded. */
const carIndexOf = carUpdate.reader("carIndex")
const CAR_INDEX_BYTES = 3

/** The words of the answer are not passed on to clients: a program other than the game may have sent them. */
const REFUSED = "it rejected the registration (is the connection password right?)"

export class AccInterpreter implements Conversation {
  #send: (bytes: Uint8Array) => void = () => undefined
  readonly #registration: Buffer
  readonly #entries = new Entries()
  readonly #followed = new FollowedCar(this.#entries)
  #connectionId: number | undefined
  #isRefused = false
  #askedAt = -Infinity

  constructor({ appName, options, rate }: LinkOptions) {
    this.#registration = registration.encode({
      type: requestTypes.register,
      version: PROTOCOL_VERSION,
      displayName: appName,
      connectionPassword: read(options).password ?? "",
      updateIntervalMs: Math.max(MIN_INTERVAL_MS, Math.floor(1000 / rate)),
      commandPassword: ""
    })
  }

  open(send: (bytes: Uint8Array) => void): void {
    this.#send = send
    this.#connectionId = undefined
    this.#isRefused = false
    this.#askedAt = -Infinity
  }

  simulator(): string {
    return "Assetto Corsa Competizione"
  }

  state(): ReturnType<Conversation["state"]> {
    if (this.#isRefused) return { _tag: "Refused", reason: REFUSED }
    return { _tag: this.#connectionId === undefined ? "Waiting" : "Answered" }
  }

  tick(now: number): void {
    if (this.#connectionId === undefined) {
      if (!this.#isRefused) this.#send(this.#registration)
    } else this.#ask(this.#connectionId, now)
  }

  sendDisconnect(): void {
    if (this.#connectionId !== undefined) this.#request("unregister", this.#connectionId)
  }

  end(events: EventBuffer): void {
    this.#followed.linkLost(events)
  }

  datagram(bytes: Buffer, arrival: number, events: EventBuffer): void {
    if (!this.#read(bytes, arrival, events)) {
      events.refuse(`a message of type ${bytes[0] ?? "none"} and ${bytes.length} bytes that cannot be read`)
    }
    this.#followed.settle(arrival, events)
  }

  /** Returns whether the message could be read. */
  #read(bytes: Buffer, arrival: number, events: EventBuffer): boolean {
    switch (bytes[0]) {
      case types.carUpdate: {
        if (bytes.length < CAR_INDEX_BYTES) return false
        if (carIndexOf(bytes) !== this.#followed.carIndex) return true
        const car = readCar(bytes)
        if (car !== undefined) this.#followed.drove(car, arrival, events)
        return car !== undefined
      }
      case types.realtimeUpdate: {
        const update = readSession(bytes)
        if (update === undefined || !Number.isFinite(update.sessionTime)) return false
        this.#followed.session(update, arrival, events)
        return true
      }
      case types.registrationResult: {
        const result = registrationResult.read(bytes)
        // The length must be exact: garbage often looks like such a short message, and this one decides whether the link stays.
        if (result === undefined || registrationResult.placesIn(bytes)?.end !== bytes.length) return false
        this.#registered(result, arrival)
        return true
      }
      case types.entryList: {
        const list = entryList.read(bytes)
        if (list === undefined || list.connectionId !== this.#connectionId) return false
        this.#listed(list, events)
        return true
      }
      case types.entryListCar: {
        const car = entryListCar.read(bytes)
        if (car !== undefined) this.#entries.setCar(car)
        return car !== undefined
      }
      case types.trackData: {
        const track = trackData.read(bytes)
        if (track === undefined || track.connectionId !== this.#connectionId) return false
        this.#entries.setTrack(track)
        return true
      }
      case types.broadcastingEvent:
        // The car updates report the same.
        return broadcastingEvent.read(bytes) !== undefined
      default:
        return false
    }
  }

  #registered({ connectionId, success }: ValuesOf<typeof registrationResult>, arrival: number): void {
    if (success) {
      this.#connectionId = connectionId
      this.#ask(connectionId, arrival)
    } else this.#isRefused = true
  }

  #ask(connectionId: number, now: number): void {
    if (now - this.#askedAt < ASK_EVERY_S) return
    const { carIndex, isUnknown } = this.#followed
    const needsCar = isUnknown || (carIndex === undefined && this.#askedAt === -Infinity)
    const needsTrack = !this.#entries.hasTrack
    if (!needsCar && !needsTrack) return
    this.#askedAt = now
    if (needsCar) this.#request("entryList", connectionId)
    if (needsTrack) this.#request("trackData", connectionId)
  }

  #request(kind: keyof typeof requestTypes, connectionId: number): void {
    this.#send(request.encode({ type: requestTypes[kind], connectionId }))
  }

  #listed(list: EntryList, events: EventBuffer): void {
    this.#entries.keep(list)
    const { carIndex } = this.#followed
    if (carIndex !== undefined && list.cars.length > 0 && !list.cars.includes(carIndex)) {
      this.#followed.lose(events)
    }
  }
}
