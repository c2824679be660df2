/** What can go wrong, as data. operations/problems.ts has the sentence of each. */
import { Data } from "effect"

/** host:port of a simulator. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** The id may be what a user wrote in its place. */
export class SessionNotFound extends Data.TaggedError("SessionNotFound")<{
  readonly sessionId: number | string
}> {}

export class LapNotFound extends Data.TaggedError("LapNotFound")<{ readonly lapId: number | string }> {}

/** No driver of that name has a session. */
export class DriverNotFound extends Data.TaggedError("DriverNotFound")<{ readonly driver: string }> {}

export class CircuitNotFound extends Data.TaggedError("CircuitNotFound")<{ readonly circuit: string }> {}

/** The session is being written, so it cannot be deleted, nor recorded into by a second connection. */
export class SessionBeingRecorded extends Data.TaggedError("SessionBeingRecorded")<{
  readonly sessionId: number
}> {}

/** The simulator's side cannot be reached at all, or turned the connection down. */
export class SimulatorRefused extends Data.TaggedError("SimulatorRefused")<{
  readonly address: Address
  readonly reason: string
}> {}

/** Something answered that does not speak the driver's protocol. */
export class NotASimulator extends Data.TaggedError("NotASimulator")<{
  readonly address: Address
  readonly simulator: string
  readonly reason: string
}> {}

/** Why nothing is sent to an address: what it is, that the service was told to keep to others, or (`own`) that it listens there itself. */
export type ForbiddenKind =
  | "link-local"
  | "metadata"
  | "multicast"
  | "broadcast"
  | "unspecified"
  | "unlisted"
  | "own"

/** The target is, or stands for, an address that the service does not speak to. */
export class TargetNotAllowed extends Data.TaggedError("TargetNotAllowed")<{
  readonly address: Address
  readonly kind: ForbiddenKind
  /** Which part of a request has it; the host without. */
  readonly field?: "forward"
}> {}

/** The simulator is not heard over UDP: there are no datagrams to send on to other programs. */
export class NothingToForward extends Data.TaggedError("NothingToForward")<{ readonly simulator: string }> {}

/** As many connections were asked for within a minute as may be. */
export class TooManyConnects extends Data.TaggedError("TooManyConnects")<{
  readonly limit: number
  /** Until another may be asked for, whole seconds. */
  readonly seconds: number
}> {}

/** Another game, recognised by its bytes: its name, and what to change so that it can be recorded. */
export interface OtherGame {
  readonly game: string
  readonly advice: string
}

/** Datagrams that came while a connect waited for a simulator, and were not that simulator's. */
export interface UnexpectedTraffic {
  readonly datagrams: number
  /** Bytes: some of the different lengths, in rising order, and whether there were others. */
  readonly lengths: ReadonlyArray<number>
  readonly hasOthers: boolean
  readonly known?: OtherGame
}

/**
 * `chosenByPort`: the driver's name, where the request named no simulator and the port meant this one. `heard`: what came
 * instead.
 */
export class SimulatorSilent extends Data.TaggedError("SimulatorSilent")<{
  readonly address: Address
  readonly seconds: number
  readonly chosenByPort?: string | undefined
  readonly heard?: UnexpectedTraffic | undefined
}> {}

/** The target is connected already, with other settings than those asked for. */
export class AlreadyConnected extends Data.TaggedError("AlreadyConnected")<{ readonly address: Address }> {}

/** A connect that a disconnect (or the service's end) overtook. */
export class ConnectInterrupted extends Data.TaggedError("ConnectInterrupted")<{
  readonly address: Address
}> {}

export class UnknownSimulator extends Data.TaggedError("UnknownSimulator")<{
  readonly simulator: string
  readonly known: ReadonlyArray<string>
}> {}

/**
 * The store did not do what it was asked; nothing is lost, the caller may try again. `reason`: what is
 * wrong with it, for its operator, where it is not just silent.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly store: string
  readonly cause: unknown
  readonly reason?: string
}> {}

/** Some points are not what was written: the medium, or somebody, has changed them. The session's others can be read. */
export class PointsDamaged extends Data.TaggedError("PointsDamaged")<{
  readonly store: string
  readonly sessionId: number
  /** Of samples; left out of points. */
  readonly group?: string
  /** The damaged ones' first and last time, epoch seconds. */
  readonly first: number
  readonly last: number
  readonly reason: string
}> {}

/** Why points cannot be read. */
export type PointsUnreadable = StoreUnavailable | PointsDamaged

/** The points belong to another catalog, or to an unknown one: what is written or removed there may be another service's. */
export class PointsOfAnother extends Data.TaggedError("PointsOfAnother")<{
  readonly store: string
  /** Sessions with points there that the catalog does not know; empty where the points say whose they are. */
  readonly unknown: ReadonlyArray<number>
}> {}

/** The catalog has given these ids to sessions of its own: points under them that came from elsewhere would be mixed. */
export class SessionIdsGiven extends Data.TaggedError("SessionIdsGiven")<{
  readonly sessionIds: ReadonlyArray<number>
}> {}

/** Another process is this node, by a lease that lives. */
export class NodeInUse extends Data.TaggedError("NodeInUse")<{
  readonly node: string
  readonly described: string
  /** When its lease ends, unless it is renewed. */
  readonly seconds: number
}> {}

/** Another process has the data folder for itself. */
export class DataFolderInUse extends Data.TaggedError("DataFolderInUse")<{
  readonly folder: string
  /** Who, where that is known. */
  readonly process: string | undefined
}> {}

/** The data folder cannot be made, or nothing can be kept in it. */
export class DataFolderUnusable extends Data.TaggedError("DataFolderUnusable")<{
  readonly folder: string
  readonly cause: unknown
}> {}

/** A value of a request that its schema cannot know to be wrong. */
export class InvalidValue extends Data.TaggedError("InvalidValue")<{
  readonly name: string
  readonly value: string | number
  readonly expected: string
}> {}

/** As many subscriptions are open as there may be. */
export class TooManySubscriptions extends Data.TaggedError("TooManySubscriptions")<{
  readonly limit: number
}> {}

/** Live clients watch as many different selections of channels as there may be at a time. */
export class TooManySelections extends Data.TaggedError("TooManySelections")<{
  readonly limit: number
}> {}

/** What was asked for takes longer than anybody waits; it goes on being computed. */
export class StillComputing extends Data.TaggedError("StillComputing")<{
  readonly question: string
  readonly seconds: number
}> {}

export type ConnectError =
  | TargetNotAllowed
  | NothingToForward
  | TooManyConnects
  | SimulatorRefused
  | NotASimulator
  | SimulatorSilent
  | AlreadyConnected
  | ConnectInterrupted
  | UnknownSimulator
  | SessionNotFound
  | SessionBeingRecorded
  | StoreUnavailable
