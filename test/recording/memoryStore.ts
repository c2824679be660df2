/**
 * Stores in memory for tests of the recorder, whose calls fail, or wait, on command; and an audience that listens.
 *
 * The point store is complete and held to the contract (memoryStore.contract.test.ts). The catalog is a stand-in, and is not. It
 * keeps what recording, recovery and removal write and read again: sessions with their bounds, laps, deletions, sector lines,
 * the configuration. For all that others only read, it has no answer: lists and pages of sessions, a single lap, distances. It
 * does not refuse calls that a caller must not make (see `delete`).
 */
import { Effect, Layer, Option, Stream } from "effect"
import invariant from "tiny-invariant"
import { POINTS } from "../../src/domain/Dictionary.ts"
import type { Dictionary } from "../../src/domain/Dictionary.ts"
import type { KeptConnection } from "../../src/domain/Connection.ts"
import {
  type Address,
  LapNotFound,
  SessionBeingRecorded,
  SessionNotFound,
  StoreUnavailable
} from "../../src/domain/errors.ts"
import { type Configuration, defaultConfiguration } from "../../src/domain/Configuration.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { sameChannels } from "../../src/domain/RowBatch.ts"
import type { SectorLines } from "../../src/domain/SectorLines.ts"
import type { NewSession, Session, SessionBounds } from "../../src/domain/Session.ts"
import { LivePublisher } from "../../src/live/hub/LivePublisher.ts"
import { Circuits } from "../../src/store/Circuits.ts"
import { Configurations } from "../../src/store/Configurations.ts"
import { Connections } from "../../src/store/Connections.ts"
import { Deletions } from "../../src/store/Deletions.ts"
import { Dictionaries } from "../../src/store/Dictionaries.ts"
import { Laps } from "../../src/store/Laps.ts"
import { RowStore } from "../../src/store/RowStore.ts"
import { Sessions } from "../../src/store/Sessions.ts"
import { thin } from "../../src/store/thinning.ts"
import { MemoryRows } from "./memoryRows.ts"

/** The catalog's ports that are implemented. */
type Catalogued = Circuits | Configurations | Connections | Deletions | Dictionaries | Laps | Sessions

export type Call =
  | "sectorLines"
  | keyof Configurations["Type"]
  | keyof Connections["Type"]
  | keyof Deletions["Type"]
  | keyof Dictionaries["Type"]
  | keyof Laps["Type"]
  | Exclude<keyof Sessions["Type"], "check">
  | Exclude<keyof RowStore["Type"], "check">

interface Kept {
  readonly session: NewSession
  bounds: SessionBounds | undefined
  recording: boolean
  pinned: boolean
}

type LiveEvent = Parameters<(typeof LivePublisher.Service)["announce"]>[0]

const failing = (call: Call, how: "passing" | "refused" | "bug"): Effect.Effect<never, StoreUnavailable> =>
  how === "bug"
    ? Effect.die(new Error(`no ${call}`))
    : new StoreUnavailable({
        store: "memory",
        cause: `no ${call}`,
        refusal: how === "refused" ? how : undefined
      })

export class MemoryStore {
  readonly sessions = new Map<number, Kept>()
  readonly laps: Array<RecordedLap> = []
  readonly dictionaries = new Map<number, Dictionary>()
  readonly sectorLines: Array<readonly [circuit: string, lines: SectorLines]> = []
  /** Deleted sessions, and whether their points are still to be removed. */
  readonly deleted = new Map<number, boolean>()
  readonly rows = new MemoryRows()
  /** For each removal of space: the time before which points were removed. */
  readonly reclaimed: Array<number> = []
  /** Sessions that another node records. */
  readonly elsewhere = new Set<number>()
  /** Every call that was made, in order. */
  readonly calls: Array<Call> = []
  readonly publishedSamples: Array<readonly [sessionId: number, group: string, timestamp: number]> = []
  readonly published: Array<readonly [sessionId: number, timestamp: number]> = []
  readonly announced: Array<LiveEvent> = []
  configuration: Configuration = defaultConfiguration
  connections: ReadonlyArray<KeptConnection> = []
  onAir: number | null = null
  #failures = new Map<Call, number>()
  #isBug = false
  readonly #faults = new Map<
    Call,
    { readonly sessionId: number; readonly how: "passing" | "refused" | "bug" } | undefined
  >()
  #refusedRow = Number.NaN
  #refusedLap = Number.NaN
  #gates = new Map<Call, Effect.Latch>()
  #nextId = 1

  /** The next `times` calls fail, as a bug would if `asBug`. */
  fail(call: Call, times: number, { isBug = false } = {}): void {
    this.#failures.set(call, times)
    this.#isBug = isBug
  }

  /** Calls for this session fail from now on, in this way; no more if it is undefined. */
  failFor(sessionId: number, call: Call, how: "passing" | "refused" | "bug" | undefined): void {
    this.#faults.set(call, how === undefined ? undefined : { sessionId, how })
  }

  /** Writes with a row at this time are refused. */
  refuseRowsAt(time: number): void {
    this.#refusedRow = time
  }

  /** A lap with this start is refused, and all laps that are written with it. */
  refuseLapsAt(start: number): void {
    this.#refusedLap = start
  }

  /** Calls wait until the returned latch is open. */
  hold(call: Call): Effect.Latch {
    const latch = Effect.unsafeMakeLatch(false)
    this.#gates.set(call, latch)
    return latch
  }

  countOf(call: Call): number {
    return this.calls.filter((other) => other === call).length
  }

  timesOf(sessionId: number): ReadonlyArray<number> {
    return this.rows.timesOf(sessionId)
  }

  lapsOf(sessionId: number): ReadonlyArray<RecordedLap> {
    return this.laps.filter((lap) => lap.sessionId === sessionId)
  }

  /** Deletes as a deletion does, also a session that is being recorded, which a catalog would not. */
  delete(id: number): void {
    this.sessions.delete(id)
    this.deleted.set(id, true)
  }

  /** Adds a session that exists already. */
  add(session: Partial<NewSession> = {}, recording = false): number {
    const id = this.#nextId++
    const names = { circuit: "Spa", vehicle: "GT3", driver: "Anna", datetime: 0, ...session }
    this.sessions.set(id, { session: names, bounds: undefined, recording, pinned: false })
    return id
  }

  #otherConnections({ host, port }: Address): ReadonlyArray<KeptConnection> {
    const key = host.toLowerCase()
    return this.connections.filter(
      ({ request }) => request.host.toLowerCase() !== key || request.port !== port
    )
  }

  /** When the sessions ended by their source's time, by that time. */
  #ends(wanted: (session: [number, Kept]) => boolean) {
    return [...this.sessions]
      .filter(wanted)
      .map(([id, { bounds, session }]) => ({ id, ended: bounds?.last ?? session.datetime }))
      .toSorted((a, b) => a.ended - b.ended || a.id - b.id)
  }

  /** `of`: the sessions that the call is for. */
  #call<A, E = never>(
    call: Call,
    run: () => A | Effect.Effect<A, E>,
    of: ReadonlyArray<number> = []
  ): Effect.Effect<A, E | StoreUnavailable> {
    return Effect.suspend(() => {
      this.calls.push(call)
      return this.#gates.get(call)?.await ?? Effect.void
    }).pipe(
      Effect.zipRight(
        Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> => {
          const left = this.#failures.get(call) ?? 0
          this.#failures.set(call, left - 1)
          if (left > 0 && this.#isBug) return Effect.die(new Error(`no ${call}`))
          if (left > 0) return new StoreUnavailable({ store: "memory", cause: `no ${call}` })
          const fault = this.#faults.get(call)
          if (fault !== undefined && of.includes(fault.sessionId)) return failing(call, fault.how)
          const result = run()
          return Effect.isEffect(result) ? result : Effect.succeed(result)
        })
      )
    )
  }

  #session(id: number): Effect.Effect<Session, SessionNotFound> {
    const kept = this.sessions.get(id)
    if (kept === undefined) return new SessionNotFound({ sessionId: id })
    const laps = this.lapsOf(id)
    const { circuit, vehicle, driver, datetime } = kept.session
    return Effect.succeed({
      id,
      circuit,
      vehicle,
      driver,
      datetime,
      duration: Math.floor((kept.bounds?.last ?? 0) - (kept.bounds?.first ?? 0)),
      totalLaps: laps.length,
      bestLapTime: null,
      source: "live" as const,
      pinned: kept.pinned
    })
  }

  readonly catalog: Layer.Layer<Catalogued> = Layer.mergeAll(
    Layer.mock(Circuits, {
      sectorLines: (circuit) =>
        this.#call("sectorLines", () =>
          this.sectorLines.filter(([name]) => name === circuit).map(([, lines]) => lines)
        )
    }),
    Layer.succeed(Configurations, {
      configuration: this.#call("configuration", () => this.configuration),
      putConfiguration: (put) => this.#call("putConfiguration", () => void (this.configuration = put)),
      chosenOnAir: this.#call("chosenOnAir", () => this.onAir),
      chooseOnAir: (sessionId) => this.#call("chooseOnAir", () => void (this.onAir = sessionId))
    }),
    Layer.succeed(Connections, {
      keptConnections: this.#call("keptConnections", () => this.connections),
      keepConnection: (kept) =>
        this.#call("keepConnection", () => {
          this.connections = [...this.#otherConnections(kept.request), kept]
        }),
      forgetConnection: (address) =>
        this.#call("forgetConnection", () => {
          this.connections = this.#otherConnections(address)
        })
    }),
    Layer.succeed(Deletions, {
      deleteSession: (id) => this.#call("deleteSession", () => this.delete(id)),
      oldestRemovable: (until) =>
        this.#call("oldestRemovable", () =>
          // An Option is an effect too, and must not be run as one.
          Effect.succeed(
            Option.fromNullable(
              this.#ends(([id, { pinned, recording }]) => !pinned && !recording && id <= until)[0]
            )
          )
        ),
      newestSession: this.#call("newestSession", () => {
        const ends = this.#ends(() => true)
        const id = Math.max(...this.sessions.keys())
        return Effect.succeed(
          ends.length === 0 ? Option.none() : Option.some({ id, ended: ends.at(-1)!.ended })
        )
      }),
      deleteRemovable: ({ ended, id }) =>
        this.#call("deleteRemovable", () => {
          const kept = this.sessions.get(id)
          if (kept === undefined || kept.recording || kept.pinned) return false
          if ((kept.bounds?.last ?? kept.session.datetime) !== ended) return false
          this.delete(id)
          return true
        }),
      pendingRemovals: this.#call("pendingRemovals", () =>
        [...this.deleted].filter(([, pending]) => pending).map(([id]) => id)
      ),
      removalDone: (id) => this.#call("removalDone", () => void this.deleted.set(id, false)),
      removeAgain: (id) =>
        this.#call("removeAgain", () => {
          if (!this.deleted.has(id)) return false
          this.deleted.set(id, true)
          return true
        }),
      deleted: (ids) => this.#call("deleted", () => ids.filter((id) => this.deleted.has(id))),
      removedForRoom: () => Effect.succeed([]),
      missing: (ids) => this.#call("missing", () => ids.filter((id) => !this.sessions.has(id))),
      lost: (ids) => this.#call("lost", () => ids.filter((id) => !this.sessions.has(id)))
    }),
    Layer.succeed(Dictionaries, {
      dictionary: (id) =>
        this.#call("dictionary", () => Effect.map(this.#session(id), () => this.dictionaries.get(id))),
      putDictionary: (id, dictionary) =>
        this.#call(
          "putDictionary",
          () => {
            if (this.sessions.has(id)) this.dictionaries.set(id, dictionary)
          },
          [id]
        )
    }),
    Layer.succeed(Laps, {
      addLaps: (laps) =>
        this.#call(
          "addLaps",
          (): Effect.Effect<ReadonlyArray<RecordedLap>, SessionNotFound | StoreUnavailable> =>
            laps.some((lap) => lap.startTime === this.#refusedLap)
              ? failing("addLaps", "refused")
              : Effect.forEach(laps, (lap): Effect.Effect<RecordedLap, SessionNotFound> => {
                  if (!this.sessions.has(lap.sessionId))
                    return new SessionNotFound({ sessionId: lap.sessionId })
                  const known = this.lapsOf(lap.sessionId).find((other) => other.startTime === lap.startTime)
                  const { sectorLines, ...declared } = lap
                  const kept = known ?? { ...declared, id: this.laps.length + 1 }
                  if (known === undefined) this.laps.push(kept)
                  if (known === undefined && sectorLines !== undefined) {
                    this.sectorLines.push([this.sessions.get(lap.sessionId)!.session.circuit, sectorLines])
                  }
                  return Effect.succeed(kept)
                }),
          laps.map((lap) => lap.sessionId)
        ),
      changeLap: (sessionId, startTime, { sectors, withdrawn, ...change }) =>
        this.#call(
          "changeLap",
          () => {
            const at = this.laps.findIndex(
              (lap) => lap.sessionId === sessionId && lap.startTime === startTime
            )
            const before = this.laps[at]
            if (before === undefined) return undefined
            const [sector1Time, sector2Time, sector3Time] = sectors ?? [
              before.sector1Time,
              before.sector2Time,
              before.sector3Time
            ]
            const taken = withdrawn === undefined ? {} : { withdrawn, valid: false }
            const lap = { ...before, ...change, sector1Time, sector2Time, sector3Time, ...taken }
            this.laps[at] = lap
            return lap
          },
          [sessionId]
        ),
      replaceLaps: () => Effect.die(new Error("a recorder replaces no laps")),
      lap: (lapId) => this.#call("lap", () => Effect.fail(new LapNotFound({ lapId }))),
      laps: (id) => this.#call("laps", () => Effect.as(this.#session(id), this.lapsOf(id)))
    }),
    Layer.succeed(Sessions, {
      createSession: (session, { recording }) =>
        this.#call("createSession", () => Effect.orDie(this.#session(this.add(session, recording)))),
      session: (id) => this.#call("session", () => this.#session(id)),
      sessions: () => this.#call("sessions", () => ({ total: 0, items: [] })),
      pinSession: (id, pinned) =>
        this.#call("pinSession", () => {
          const kept = this.sessions.get(id)
          if (kept !== undefined) kept.pinned = pinned
          return this.#session(id)
        }),
      claimSession: (id) =>
        this.#call("claimSession", (): Effect.Effect<Session, SessionNotFound | SessionBeingRecorded> => {
          const kept = this.sessions.get(id)
          if (kept?.recording === true) return new SessionBeingRecorded({ sessionId: id })
          if (kept !== undefined) kept.recording = true
          return this.#session(id)
        }),
      renameSession: (id, names) =>
        this.#call(
          "renameSession",
          () => {
            const kept = this.sessions.get(id)
            if (kept !== undefined) this.sessions.set(id, { ...kept, session: { ...kept.session, ...names } })
            return this.#session(id)
          },
          [id]
        ),
      extendSessions: (bounds) =>
        this.#call(
          "extendSessions",
          () => {
            for (const [id, { first, last }] of bounds) {
              const kept = this.sessions.get(id)
              if (kept === undefined) continue
              kept.bounds = {
                first: Math.min(kept.bounds?.first ?? Infinity, first),
                last: Math.max(kept.bounds?.last ?? -Infinity, last)
              }
            }
          },
          [...bounds.keys()]
        ),
      endSession: (id) =>
        this.#call(
          "endSession",
          () => {
            const kept = this.sessions.get(id)
            if (kept !== undefined) kept.recording = false
          },
          [id]
        ),
      keepDistance: () => this.#call("keepDistance", () => undefined),
      unendedSessions: this.#call("unendedSessions", () =>
        [...this.sessions].filter(([, kept]) => kept.recording).map(([id]) => id)
      ),
      ownUnendedSessions: this.#call("ownUnendedSessions", () =>
        [...this.sessions].filter(([id, kept]) => kept.recording && !this.elsewhere.has(id)).map(([id]) => id)
      ),
      sessionIds: this.#call("sessionIds", () => [...this.sessions.keys()]),
      check: Effect.void
    })
  )

  readonly rowStore: Layer.Layer<RowStore> = Layer.succeed(
    RowStore,
    RowStore.of({
      claim: () => this.#call("claim", () => undefined),
      ownedBy: this.#call("ownedBy", () => Effect.succeed(Option.none())),
      changeOwner: () => this.#call("changeOwner", () => undefined),
      write: (batches) =>
        this.#call(
          "write",
          (): Effect.Effect<void, StoreUnavailable> => {
            if (batches.some(({ batch }) => batch.timestamps.includes(this.#refusedRow)))
              return failing("write", "refused")
            for (const rows of batches) {
              invariant(
                rows.group !== POINTS || sameChannels(rows.batch.channels, channels),
                "points are stored with all channels"
              )
              this.rows.write(rows)
            }
            return Effect.void
          },
          batches.map(({ sessionId }) => sessionId)
        ),
      seal: (id) => this.#call("seal", () => undefined, [id]),
      read: (range, columns) =>
        Stream.unwrap(this.#call("read", () => Effect.succeed(this.rows.read(range, columns)))),
      readEvery: (range, columns, every) =>
        Stream.unwrap(
          this.#call("readEvery", () => Effect.succeed(thin(every)(this.rows.read(range, columns))))
        ),
      count: (range) => this.#call("count", () => this.rows.within(range).length),
      // An Option is an effect too, and must not be run as one.
      bounds: (of) => this.#call("bounds", () => Effect.succeed(this.rows.bounds(of))),
      last: (of, time, columns) =>
        this.#call("last", () => Effect.succeed(this.rows.last(of, time, columns))),
      groups: (id) => this.#call("groups", () => this.rows.groups(id)),
      columns: (of) => this.#call("columns", () => this.rows.columns(of)),
      remove: (id) => this.#call("remove", () => this.rows.delete(id)),
      reclaim: (before) => this.#call("reclaim", () => void this.reclaimed.push(before)),
      bytes: this.#call("bytes", () => this.rows.bytes()),
      sessionIds: this.#call("sessionIds", () => this.rows.sessionIds()),
      check: Effect.void
    })
  )

  readonly live: Layer.Layer<LivePublisher> = Layer.succeed(LivePublisher, {
    publish: (sessionId, group, { timestamps }) => {
      for (const time of timestamps) {
        if (group === POINTS) this.published.push([sessionId, time])
        else this.publishedSamples.push([sessionId, group, time])
      }
    },
    declare: () => undefined,
    announce: (event) => void this.announced.push(event)
  })

  get layer(): Layer.Layer<Catalogued | RowStore | LivePublisher> {
    return Layer.mergeAll(this.catalog, this.rowStore, this.live)
  }
}
