/** The parts of an emulator of a real simulator, apart from its sockets. */
import type { Effect, Scope } from "effect"
import type { CannotListen } from "../feed/FeedServer.ts"
import type { Circuit } from "../model/Circuit.ts"
import type { DrivenLap } from "../model/lap.ts"
import type { Vehicle } from "../model/vehicles.ts"
import type { World } from "./World.ts"

/** Circuit, vehicle and driver. */
export interface Scene {
  readonly circuit: Circuit
  readonly vehicle: Vehicle
  readonly driver: string
}

/**
 * The simulator's state at a moment of the drive, in the units, signs and axes of our points (PointBatch: km/h, 0..1, x and y on the
 * ground, z up, metres); an emulator converts to those of its protocol. Times in seconds.
 */
export interface Frame {
  /** Counts frames since the emulator started, through pauses and restarts. */
  readonly index: number
  /** Since the emulator started; never stands still, never goes back. */
  readonly upTime: number
  /** Time of the session: stands still in a pause, begins anew at a restart. */
  readonly sessionTime: number
  /** Counts sessions from 0: a restart begins another. */
  readonly session: number
  /** The game is paused: the car stands where it was. */
  readonly paused: boolean
  /** The last lap has been driven: the session is over, and the car rolls out. */
  readonly finished: boolean
  readonly speed: number
  readonly rpm: number
  readonly gear: number
  readonly throttle: number
  readonly brake: number
  readonly steering: number
  readonly x: number
  readonly y: number
  readonly z: number
  /** Direction of travel on the ground, rad, counter-clockwise from the x axis. */
  readonly heading: number
  /** The current lap: its number from 1, and its times, which a simulator reports only after they have passed. */
  readonly lap: DrivenLap
  /** Since the line. */
  readonly lapTime: number
  /** m since the line, along the centre line. */
  readonly lapDistance: number
  /** 0, 1 or 2: the sector that the car is in. */
  readonly sector: number
  /** The last completed lap of this session, and whether this is the first frame after its end. */
  readonly lastLap: DrivenLap | undefined
  readonly lapEnded: boolean
  /** s, of the valid laps of this session. */
  readonly bestLap: number | undefined
  /** Further values of the car, by channel and in its unit (`channelGroups.ts`); NaN while there is no value. */
  readonly carValue: (channel: string) => number
}

/** The sender of a datagram to an emulator. */
export interface Client {
  readonly address: string
  readonly port: number
}

/** Sends to the named client, or else to the emulator's configured address. The emulator reuses the bytes afterwards. */
export type Send = (bytes: Uint8Array, to?: Client) => void

/** A simulator's side over UDP: plain, no I/O. */
export interface Emulator {
  /** Sends the datagrams of this frame. */
  readonly frame: (frame: Frame, send: Send) => void
  /** Handles a received datagram. */
  readonly heard?: (bytes: Buffer, from: Client, send: Send) => void
}

export interface ServeOptions {
  readonly scene: Scene
  readonly host: string
  readonly port: number
  /** Runs the drive from now on, with the requested pauses and restarts; never ends. */
  readonly drive: (onFrame: (frame: Frame) => void) => Effect.Effect<never>
  /** The requested faults of sent datagrams: loss, reordering, duplicates, garbage. */
  readonly spoil: (send: Send) => Send
}

/** Fields of `POST /connect` that a game needs in addition to address, names and start line. */
export interface ConnectExtras {
  readonly password?: string
  readonly replays?: boolean
}

/** An entry of the table of emulators. */
export interface EmulatorKind {
  /** Its name for `--protocol`. */
  readonly protocol: string
  /** Its usual port. */
  readonly port: number
  /** The service's driver for it. */
  readonly simulator: string
  readonly world: World
  /** The scheme of its address; by default udp. */
  readonly scheme?: "udp" | "tcp"
  /** Further fields that a connect needs, such as a password. Names and the start line are known without this. */
  readonly extras?: ConnectExtras
  /** Runs it until the scope ends; gives the host and port to connect the service to. */
  readonly serve: (
    options: ServeOptions
  ) => Effect.Effect<{ readonly host: string; readonly port: number }, CannotListen, Scope.Scope>
}
