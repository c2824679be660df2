/**
 * Every error, as data. operations/problems.ts has the sentence of each.
 *
 * Over 250 lines: it is one list, so that a reader sees all errors in one place.
 */
import { Data } from "effect"

/** The host and port of a simulator. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** If a user wrote something other than an id, `sessionId` is that text. */
export class SessionNotFound extends Data.TaggedError("SessionNotFound")<{
  readonly sessionId: number | string
}> {}

export class LapNotFound extends Data.TaggedError("LapNotFound")<{ readonly lapId: number | string }> {}

/** No driver of that name has a session. */
export class DriverNotFound extends Data.TaggedError("DriverNotFound")<{ readonly driver: string }> {}

export class ImportNotFound extends Data.TaggedError("ImportNotFound")<{
  readonly importId: number | string
}> {}

/** The file is larger than an imported file may be. */
export class UploadTooLarge extends Data.TaggedError("UploadTooLarge")<{
  /** Bytes. */
  readonly limit: number
}> {}

/** The file's first bytes are of no known format; `reason` is a sentence. */
export class UnknownFormat extends Data.TaggedError("UnknownFormat")<{ readonly reason: string }> {}

/** The disk has too little room for the file and what is made of it. */
export class NoRoomForUpload extends Data.TaggedError("NoRoomForUpload")<{
  /** Bytes. */
  readonly needed: number
  readonly free: number
}> {}

/** The maximum number of files waits to be uploaded completely or to be read. */
export class TooManyImports extends Data.TaggedError("TooManyImports")<{ readonly limit: number }> {}

/** The maximum number of uploads is under way. */
export class TooManyUploads extends Data.TaggedError("TooManyUploads")<{ readonly limit: number }> {}

/** All of the import's file is here, or nothing more of it is wanted. */
export class UploadComplete extends Data.TaggedError("UploadComplete")<{ readonly importId: number }> {}

/** Another file cannot cut the laps of this import: what the file or the import is not. */
export class LapsNotCut extends Data.TaggedError("LapsNotCut")<{
  readonly importId: number
  readonly because: "no .ldx" | "no beacons" | "no log" | "not finished" | "no session"
}> {}

/** The upload goes on at another byte than the one that was sent. */
export class UploadElsewhere extends Data.TaggedError("UploadElsewhere")<{ readonly offset: number }> {}

export class ConnectionNotFound extends Data.TaggedError("ConnectionNotFound")<{
  readonly address: Address
}> {}

export class CircuitNotFound extends Data.TaggedError("CircuitNotFound")<{ readonly circuit: string }> {}

/** The mark has another revision than the one that the caller wants to change. */
export class MarkChanged extends Data.TaggedError("MarkChanged")<{
  readonly expected: number
  readonly revision: number
}> {}

/** The session, or the catalog for marks without a session, has the maximum number of marks. */
export class TooManyMarks extends Data.TaggedError("TooManyMarks")<{ readonly limit: number }> {}

/** The session is being recorded, so it cannot be deleted, and a second connection cannot record into it. */
export class SessionBeingRecorded extends Data.TaggedError("SessionBeingRecorded")<{
  readonly sessionId: number
}> {}

/**
 * The simulator's address cannot be reached at all, or refused the connection. `reason`: the system's code, or words.
 * `localPort`: the UDP port of this machine that could not be opened, if that was the reason.
 */
export class SimulatorRefused extends Data.TaggedError("SimulatorRefused")<{
  readonly address: Address
  readonly reason: string
  readonly localPort?: number
}> {}

/** The peer answered, but does not speak the driver's protocol. */
export class NotASimulator extends Data.TaggedError("NotASimulator")<{
  readonly address: Address
  readonly simulator: string
  readonly reason: string
}> {}

/**
 * Why the service sends nothing to an address: the kind of the address, a setting that allows only others, or (`own`)
 * that the service itself listens there.
 */
export type ForbiddenKind =
  | "link-local"
  | "metadata"
  | "multicast"
  | "broadcast"
  | "unspecified"
  | "unlisted"
  | "own"

/** The target is, or resolves to, an address that the service does not speak to. */
export class TargetNotAllowed extends Data.TaggedError("TargetNotAllowed")<{
  readonly address: Address
  readonly kind: ForbiddenKind
  /** The part of a request that names the address; undefined for the host. */
  readonly field?: "forward"
}> {}

/** The simulator does not send over UDP, so there are no datagrams to forward to other programs. */
export class NothingToForward extends Data.TaggedError("NothingToForward")<{ readonly simulator: string }> {}

/** The maximum number of connects within a minute has been reached. */
export class TooManyConnects extends Data.TaggedError("TooManyConnects")<{
  readonly limit: number
  /** Whole seconds until the next connect is allowed. */
  readonly seconds: number
}> {}

/** Another game, recognised by its bytes: its name, and what the user must change so that it can be recorded. */
export interface OtherGame {
  readonly game: string
  readonly advice: string
}

/** Datagrams that arrived while a connect waited for a simulator, and that were not the simulator's. */
export interface UnexpectedTraffic {
  readonly datagrams: number
  /** Bytes: some of the different lengths, in rising order. `hasOthers`: whether there were more lengths. */
  readonly lengths: ReadonlyArray<number>
  readonly hasOthers: boolean
  readonly known?: OtherGame
}

/**
 * `chosenByPort`: the driver's name, if the request named no simulator and the port selected this one. `heard`: the
 * traffic that arrived instead.
 */
export class SimulatorSilent extends Data.TaggedError("SimulatorSilent")<{
  readonly address: Address
  readonly seconds: number
  readonly chosenByPort?: string | undefined
  readonly heard?: UnexpectedTraffic | undefined
}> {}

/** The target is already connected, with settings that differ from the request's. */
export class AlreadyConnected extends Data.TaggedError("AlreadyConnected")<{ readonly address: Address }> {}

/** Another node of the cluster keeps the connection to this address. */
export class ConnectedElsewhere extends Data.TaggedError("ConnectedElsewhere")<{ readonly node: string }> {}

/** A disconnect, or the end of the service, interrupted the connect. */
export class ConnectInterrupted extends Data.TaggedError("ConnectInterrupted")<{
  readonly address: Address
}> {}

export class UnknownSimulator extends Data.TaggedError("UnknownSimulator")<{
  readonly simulator: string
  readonly known: ReadonlyArray<string>
}> {}

/**
 * The store did not carry out a request. Nothing is lost; the caller may try again. `reason` tells the operator what is
 * wrong with the store, if it did more than not answer. `refusal`: another attempt cannot help (`refused`: the store
 * does not take the data), or is unlikely to help (`bug`: our code, or a library's, failed).
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly store: string
  readonly cause: unknown
  readonly reason?: string
  readonly refusal?: "refused" | "bug" | undefined
}> {}

/**
 * Some points have changed since they were written: the medium, or another program, has changed them. The session's
 * other points can be read.
 */
export class PointsDamaged extends Data.TaggedError("PointsDamaged")<{
  readonly store: string
  readonly sessionId: number
  /** The group of damaged samples; undefined for points. */
  readonly group?: string
  /** The first and last time of the damaged points, epoch seconds. */
  readonly first: number
  readonly last: number
  readonly reason: string
}> {}

/** Why points cannot be read. */
export type PointsUnreadable = StoreUnavailable | PointsDamaged

/** The catalog's data on a session's channels has changed since it was written. */
export class ChannelsDamaged extends Data.TaggedError("ChannelsDamaged")<{ readonly sessionId: number }> {}

/** Why points cannot be read together with the other data of their session. */
export type SessionUnreadable = PointsUnreadable | ChannelsDamaged

/**
 * The points belong to another catalog, or to an unknown one: writing or removing here could change another service's
 * points.
 */
export class PointsOfAnother extends Data.TaggedError("PointsOfAnother")<{
  readonly store: string
  /** Sessions that have points there and that the catalog does not know; empty if the points name their owner. */
  readonly unknown: ReadonlyArray<number>
}> {}

/**
 * The catalog has given these ids to sessions of its own: points from elsewhere under the same ids would mix with
 * theirs.
 */
export class SessionIdsGiven extends Data.TaggedError("SessionIdsGiven")<{
  readonly sessionIds: ReadonlyArray<number>
}> {}

/** Another process runs as this node, and its lease is still valid. */
export class NodeInUse extends Data.TaggedError("NodeInUse")<{
  readonly node: string
  readonly described: string
  /** Seconds until the lease ends, unless the other process renews it. */
  readonly seconds: number
}> {}

/**
 * The catalog has another node, and one of the two keeps its points in files. Each node would then serve the other's
 * sessions without their points, and could delete them.
 */
export class PointsNotShared extends Data.TaggedError("PointsNotShared")<{
  /**
   * The other node. `shares`: whether it keeps its points where all nodes find them; if so, this one keeps them in
   * files.
   */
  readonly node: string
  readonly described: string
  readonly shares: boolean
}> {}

/** Another process has locked the data folder. */
export class DataFolderInUse extends Data.TaggedError("DataFolderInUse")<{
  readonly folder: string
  /** That process, if it is known. */
  readonly process: string | undefined
}> {}

/** The data folder cannot be created, or files cannot be kept in it. */
export class DataFolderUnusable extends Data.TaggedError("DataFolderUnusable")<{
  readonly folder: string
  readonly cause: unknown
}> {}

/** The write-ahead log beside the database `file` belongs to another database. */
export class DatabaseReplaced extends Data.TaggedError("DatabaseReplaced")<{ readonly file: string }> {}

/** There is no store in the data folder, but one was needed. */
export class DataFolderEmpty extends Data.TaggedError("DataFolderEmpty")<{ readonly folder: string }> {}

/** A value of a request that is wrong for a reason that its schema cannot check. */
export class InvalidValue extends Data.TaggedError("InvalidValue")<{
  readonly name: string
  readonly value: string | number
  readonly expected: string
}> {}

/** The maximum number of open subscriptions has been reached. */
export class TooManySubscriptions extends Data.TaggedError("TooManySubscriptions")<{
  readonly limit: number
}> {}

/** Live clients already watch the maximum number of different channel selections. */
export class TooManySelections extends Data.TaggedError("TooManySelections")<{
  readonly limit: number
}> {}

/** One client already watches its maximum number of different channel selections. */
export class TooManyOfClient extends Data.TaggedError("TooManyOfClient")<{
  readonly limit: number
}> {}

/** The maximum number of replays is running. */
export class TooManyReplays extends Data.TaggedError("TooManyReplays")<{
  readonly limit: number
}> {}

/** The maximum number of large answers is open, and none ended while this one waited. */
export class TooManyAnswers extends Data.TaggedError("TooManyAnswers")<{
  readonly limit: number
}> {}

/** The answer takes longer than a client can wait; its computation goes on. */
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
  | ConnectedElsewhere
  | ConnectInterrupted
  | UnknownSimulator
  | SessionNotFound
  | SessionBeingRecorded
  | StoreUnavailable

/** The errors of commands to the process that records. */
export type CommandError = ConnectError | ImportNotFound | LapsNotCut | TooManyImports
