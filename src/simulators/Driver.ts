/** The interface to a kind of simulator, and the registry of all kinds. */
import { Context, Data, Effect, Layer, Schema, type Scope } from "effect"
import {
  type Address,
  type OtherGame,
  type NotASimulator,
  type SimulatorRefused,
  type TargetNotAllowed,
  UnknownSimulator
} from "../domain/errors.ts"
import type { EventSink } from "../recording/feed/EventSink.ts"
import type { Memory } from "./udp/memory.ts"
import { describeOptions, type DriverOptions } from "./driverOptions.ts"

/** The link ended: the other side closed it, or the network broke it. The connection actor opens another. */
export class LinkLost extends Data.TaggedError("LinkLost")<{ readonly reason: string }> {}

/**
 * Counts of datagrams sent on to other programs, and of those that the system refused; each counts once for each
 * program.
 */
export interface ForwardCounts {
  forwarded: number
  notForwarded: number
}

export interface LinkOptions extends Address {
  /** The name by which the service identifies itself to the simulator. */
  readonly appName: string
  /** Hz that the user would like; the simulator may send more or less. */
  readonly rate: number
  /** The drivers' options in a connect, by name; a driver reads its own. */
  readonly options: Readonly<Record<string, unknown>>
  /** Whether the service may use this address of the host. If left out, it may use each. */
  readonly allows?: (host: string, address: string) => boolean
  /** The addresses to which a driver that `forwards` sends the link's datagrams, and the counts of them. */
  readonly forward?: { readonly to: ReadonlyArray<Address>; readonly counts: ForwardCounts }
  /** Gets each datagram of the simulator; the caller may reuse its memory. Only a driver that listens calls it. */
  readonly keep?: (bytes: Buffer) => void
  /** State that outlives a link: all links of a connection share it, from connect to disconnect. */
  readonly memory: Memory
  /** A driver that only listens hears nothing until the port was silent for this long, s: the user ended the game's connection. */
  readonly afterSilence?: number
  /** Called with each datagram that the driver cannot use while it waits for the simulator: its length, and its game if known. */
  readonly onUnexpected?: (bytes: number, known: OtherGame | undefined) => void
}

/** An open link: the handshake has succeeded. */
export interface Link {
  /** Name and version of the simulator. */
  readonly simulator: string
  /** The name of the driver that recognised the bytes, where several share a port. */
  readonly driver?: string
  /**
   * Delivers the events to the sink, in order, until the link is lost; events that arrived together are offered
   * together. While the sink is not ready, a reliable driver does not read. A datagram driver also offers events when
   * it is interrupted: those that it has not yet offered, and those that follow from the link's end.
   */
  readonly deliverTo: (sink: EventSink) => Effect.Effect<never, LinkLost>
}

/** A kind of simulator that users can choose. */
export const KnownSimulator = Schema.Struct({
  /** Its name in `POST /connect`. */
  name: Schema.String,
  /** Ports that select this driver if the user names no simulator. */
  ports: Schema.Array(Schema.Int),
  options: Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
    description: "Further fields of a connect to this simulator: the JSON schema of each, by its name"
  })
})
export type KnownSimulator = typeof KnownSimulator.Type

export type OpenFailure = SimulatorRefused | NotASimulator | TargetNotAllowed

export interface Driver extends Pick<KnownSimulator, "name" | "ports"> {
  /** Its options in a connect. */
  readonly options?: DriverOptions
  /** Its transport can make the simulator wait, so no data is ever dropped. */
  readonly reliable: boolean
  /** It sends, or opens a connection; a driver that only listens does not. */
  readonly reaches: boolean
  /** It hears datagrams, and can send them on to other programs. */
  readonly forwards: boolean
  /** Opens a link for the scope's life and closes it politely. The caller bounds the time. */
  readonly open: (options: LinkOptions) => Effect.Effect<Link, OpenFailure, Scope.Scope>
}

/** The driver of a connection that names no simulator, on a port that no driver claims. */
const FALLBACK = "native"

export class Drivers extends Context.Tag("simulators/Drivers")<
  Drivers,
  {
    readonly register: (driver: Driver) => void
    /** All of them, by name. */
    readonly known: Effect.Effect<ReadonlyArray<KnownSimulator>>
    /** By name, or else by port. */
    readonly find: (simulator: string | undefined, port: number) => Effect.Effect<Driver, UnknownSimulator>
  }
>() {
  static readonly layer = Layer.sync(this, () => {
    const drivers = new Map<string, Driver>()
    return {
      register: (driver) => void drivers.set(driver.name, driver),
      known: Effect.sync(() =>
        [...drivers.values()]
          .map(({ name, options, ports }) => ({ name, ports, options: describeOptions(options ?? {}) }))
          .sort((a, b) => (a.name < b.name ? -1 : 1))
      ),
      find: (simulator, port) =>
        Effect.suspend(() => {
          const byPort = [...drivers.values()].find((driver) => driver.ports.includes(port))
          const name = simulator ?? byPort?.name ?? FALLBACK
          const driver = drivers.get(name)
          return driver === undefined
            ? new UnknownSimulator({ simulator: name, known: [...drivers.keys()].sort() })
            : Effect.succeed(driver)
        })
    }
  })
}

/** A driver as a layer: building it enters the driver into the registry. */
export const registered = (driver: Driver): Layer.Layer<never, never, Drivers> =>
  Layer.effectDiscard(Effect.map(Drivers, (drivers) => drivers.register(driver)))
