/** What an emulator of a real simulator's side is made of, apart from its sockets. */
import type { Effect, Scope } from "effect"
import type { CannotListen } from "../feed/FeedServer.ts"
import type { Circuit } from "../model/Circuit.ts"
import type { DrivenLap } from "../model/lap.ts"
import type { Vehicle } from "../model/vehicles.ts"
import type { World } from "./World.ts"

/** What is driven, where, and by whom. */
export interface Scene {
  readonly circuit: Circuit
  readonly vehicle: Vehicle
  readonly driver: string
}

/**
 * A moment of the drive as a simulator's side knows it. In the units, signs and axes of our points (PointBatch: km/h,
 * 0..1, x and y on the ground, z up, metres); an emulator converts to those of its wire. Times in seconds.
 */
export interface Frame {
  /** Counts frames since the emulator started, through pauses and restarts. */
  readonly index: number
  /** Since the emulator started; never stands still, never goes back. */
  readonly upTime: number
  /** Of the session: stands still in a pause, begins anew at a restart. */
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
  /** The lap under way: its number from 1, and its times, which a simulator tells only once they are driven. */
  readonly lap: DrivenLap
  /** Since the line. */
  readonly lapTime: number
  /** m since the line, along the centre line. */
  readonly lapDistance: number
  /** 0, 1 or 2: the sector that the car is in. */
  readonly sector: number
  /** The last lap that was completed in this session, and whether this is the first frame that knows of it. */
  readonly lastLap: DrivenLap | undefined
  readonly lapEnded: boolean
  /** s, of the valid laps of this session. */
  readonly bestLap: number | undefined
  /** What the car tells besides, by the name of a channel and in its unit (`channelGroups.ts`); NaN where there is nothing to tell yet. */
  readonly carValue: (channel: string) => number
}

/** Who sent a datagram to an emulator. */
export interface Client {
  readonly address: string
  readonly port: number
}

/** To the client named, or else to where the emulator was reported to send. The bytes are the emulator's again afterwards. */
export type Send = (bytes: Uint8Array, to?: Client) => void

/** A simulator's side over UDP: plain, no I/O. */
export interface Emulator {
  /** Sends what the simulator sends at this frame. */
  readonly frame: (frame: Frame, send: Send) => void
  /** A datagram came in. */
  readonly heard?: (bytes: Buffer, from: Client, send: Send) => void
}

export interface ServeOptions {
  readonly scene: Scene
  readonly host: string
  readonly port: number
  /** Runs the drive from when this is run, with the pauses and restarts asked for; never ends. */
  readonly drive: (onFrame: (frame: Frame) => void) => Effect.Effect<never>
  /** What goes wrong on the way of what is sent, as asked for: loss, reordering, duplicates, garbage. */
  readonly spoil: (send: Send) => Send
}

/** What a connect says besides address, names and start line, where a game asks for it (fields of `POST /connect`). */
export interface ConnectExtras {
  readonly password?: string
  readonly replays?: boolean
}

/** An entry of the table of emulators. */
export interface EmulatorKind {
  /** What `--protocol` calls it. */
  readonly protocol: string
  /** The port that its users expect. */
  readonly port: number
  /** The driver of the service that reads it. */
  readonly simulator: string
  readonly world: World
  /** What its address begins with; udp where left out. */
  readonly scheme?: "udp" | "tcp"
  /** What a connect must say besides, such as a password. Names and the start line are known without. */
  readonly extras?: ConnectExtras
  /** Runs it until the scope ends; gives the host and port to connect the service to. */
  readonly serve: (
    options: ServeOptions
  ) => Effect.Effect<{ readonly host: string; readonly port: number }, CannotListen, Scope.Scope>
}
