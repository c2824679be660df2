/**
 * One link to Assetto Corsa Competizione: registration, the requests for entries and track, and whom to tell of what
 * arrives. What the car that is followed did is `FollowedCar`'s.
 */
import type { LinkOptions } from "../../Driver.ts"
import type { EventBuffer } from "../../EventBuffer.ts"
import type { Conversation } from "../../datagrams/Protocol.ts"
import {
  decodeBroadcastingEvent,
  decodeEntryList,
  decodeEntryListCar,
  decodeRegistrationResult,
  decodeTrackData,
  type EntryList,
  type RegistrationResult,
  types
} from "./decode.ts"
import { Entries } from "./Entries.ts"
import { FollowedCar } from "./FollowedCar.ts"
import { read } from "./options.ts"
import { carIndexOf, decodeCarUpdate, decodeRealtimeUpdate } from "./realtime.ts"
import { encodeRegistration, encodeRequest } from "./requests.ts"

/** The shortest interval that is asked for, ms: the game's own frames are not much shorter. */
const MIN_INTERVAL_MS = 10
/** Entries and track are asked for no more often, s. */
const ASK_EVERY_S = 1

/** A client that connects is not told the game's own words: another program may have said them. */
const REFUSED = "it turned the registration down (is the connection password right?)"

export class AccInterpreter implements Conversation {
  readonly #send: (bytes: Uint8Array) => void
  readonly #registration: Buffer
  readonly #entries = new Entries()
  readonly #followed = new FollowedCar(this.#entries)
  #connectionId: number | undefined
  #isRefused = false
  #askedAt = -Infinity

  constructor({ appName, options, rate }: LinkOptions, send: (bytes: Uint8Array) => void) {
    this.#send = send
    this.#registration = encodeRegistration({
      displayName: appName,
      connectionPassword: read(options).password ?? "",
      interval: Math.max(MIN_INTERVAL_MS, Math.floor(1000 / rate)),
      commandPassword: ""
    })
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
    if (this.#connectionId !== undefined) this.#send(encodeRequest("unregister", this.#connectionId))
  }

  datagram(bytes: Buffer, arrival: number, events: EventBuffer): void {
    if (!this.#read(bytes, arrival, events)) {
      events.refuse(`a message of type ${bytes[0] ?? "none"} and ${bytes.length} bytes that cannot be read`)
    }
    this.#followed.settle(arrival, events)
  }

  /** Whether it could be read. */
  #read(bytes: Buffer, arrival: number, events: EventBuffer): boolean {
    switch (bytes[0]) {
      case types.carUpdate: {
        if (carIndexOf(bytes) !== this.#followed.carIndex) return carIndexOf(bytes) !== undefined
        const car = decodeCarUpdate(bytes)
        if (car !== undefined) this.#followed.drove(car, arrival, events)
        return car !== undefined
      }
      case types.realtimeUpdate: {
        const update = decodeRealtimeUpdate(bytes)
        if (update !== undefined) this.#followed.session(update, arrival, events)
        return update !== undefined
      }
      case types.registrationResult: {
        const result = decodeRegistrationResult(bytes)
        if (result !== undefined) this.#registered(result, arrival)
        return result !== undefined
      }
      case types.entryList: {
        const list = decodeEntryList(bytes)
        if (list === undefined || list.connectionId !== this.#connectionId) return false
        this.#listed(list, events)
        return true
      }
      case types.entryListCar: {
        const car = decodeEntryListCar(bytes)
        if (car !== undefined) this.#entries.setCar(car)
        return car !== undefined
      }
      case types.trackData: {
        const track = decodeTrackData(bytes)
        if (track === undefined || track.connectionId !== this.#connectionId) return false
        this.#entries.setTrack(track)
        return true
      }
      case types.broadcastingEvent:
        // What it tells, the cars' updates tell too.
        return decodeBroadcastingEvent(bytes) !== undefined
      default:
        return false
    }
  }

  #registered({ connectionId, success }: RegistrationResult, arrival: number): void {
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
    if (needsCar) this.#send(encodeRequest("entryList", connectionId))
    if (needsTrack) this.#send(encodeRequest("trackData", connectionId))
  }

  #listed(list: EntryList, events: EventBuffer): void {
    this.#entries.keep(list)
    const { carIndex } = this.#followed
    if (carIndex !== undefined && list.cars.length > 0 && !list.cars.includes(carIndex)) {
      this.#followed.lose(events)
    }
  }
}
