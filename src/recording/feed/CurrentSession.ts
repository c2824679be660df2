/**
 * Creates, resumes, continues, replaces and ends the session into which a feed is recorded.
 *
 * Hard cases: something other than the service may delete a session that is being recorded. Once the writer has noticed
 * the deletion, the feed goes on in a new session. A lost link leaves the session open for `REJOIN_WITHIN`. Within that
 * time a feed with the same three names continues it, unless the feed's clock contradicts it (`FeedClock`); other names
 * end it. A session that came too soon after others begins as soon as it is allowed, if it still runs.
 *
 * Not safe against concurrent calls: the recorder makes one at a time.
 *
 * Over 250 lines: all the ways in which a session begins, goes on and ends change the same state.
 */
import { type Clock, Deferred, Effect, FiberHandle, FiberId } from "effect"
import {
  type Dictionary,
  emptyDictionary,
  type GroupDeclaration,
  type RefusedChannel
} from "../../domain/Dictionary.ts"
import type { LapChange } from "../../domain/Lap.ts"
import { REJOIN_WITHIN, type SessionNames } from "../../domain/Session.ts"
import type { SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import { LivePublisher } from "../../live/hub/LivePublisher.ts"
import { Circuits } from "../../store/Circuits.ts"
import { Sessions } from "../../store/Sessions.ts"
import { type Falls, FeedClock } from "./FeedClock.ts"
import type { FeedCounters } from "./FeedCounters.ts"
import type { FeedQuota } from "./FeedQuota.ts"
import { Intake } from "../intake/Intake.ts"
import type { LapCut } from "../laps/laps.ts"
import { LapTracker } from "../laps/LapTracker.ts"
import { OpenSession, type OpenSessionOptions } from "./OpenSession.ts"
import { resumeSession } from "./resumeSession.ts"
import { namesOf, sameNames } from "./sessionNames.ts"
import { untilStored } from "../intake/untilStored.ts"
import type { Wait } from "../intake/waits.ts"

export interface CurrentSessionOptions {
  /** Record into this existing session instead of a new one. */
  readonly sessionId: number | undefined
  /** Continue this session, which another node was recording over a connection that this one took over. */
  readonly takenOver?: number | undefined
  /** The address of the connection over which sessions are recorded (`addressKey`). */
  readonly connection?: string | undefined
  /** Used if the simulator does not send a name. */
  readonly names: { readonly [K in keyof SessionNames]?: string | undefined }
  /** Whether the feed can be made to wait. */
  readonly reliable: boolean
  /** The import of the file that the events come from. Its times are not held against their arrival. */
  readonly importId?: number | undefined
  /** Called after each change of the open session and of the feed's counts. */
  readonly changed?: (() => void) | undefined
}

type Started = Extract<SimulatorEvent, { readonly _tag: "SessionStarted" }>

interface RecordingServices {
  readonly circuits: typeof Circuits.Service
  readonly sessions: typeof Sessions.Service
  readonly intake: typeof Intake.Service
  readonly live: typeof LivePublisher.Service
  readonly clock: Clock.Clock
  /** Ends a session that no link has continued in time. */
  readonly rejoinTimeout: FiberHandle.FiberHandle
}

export class CurrentSession {
  readonly #options: CurrentSessionOptions
  readonly #quota: FeedQuota
  readonly #counters: FeedCounters
  readonly #services: RecordingServices
  #open: OpenSession | undefined
  /** The newest session message. */
  #said: Started | undefined
  /** The message of the newest session that came too soon after others. */
  #refusedStart: Started | undefined
  #stored: Effect.Effect<void> = Effect.void
  /** The channels that the feed has declared over this link, or over the one before if nothing has come over this one. */
  #declared: Dictionary = emptyDictionary
  #isNewLink = false
  /** Another node has taken the session over, and with it the connection, which ends here in a moment. */
  #isTakenOver = false

  private constructor(
    options: CurrentSessionOptions,
    quota: FeedQuota,
    counters: FeedCounters,
    services: RecordingServices
  ) {
    this.#options = options
    this.#quota = quota
    this.#counters = counters
    this.#services = services
  }

  /** Begins without a session, unless the options name one to record into. */
  static readonly make = Effect.fn("CurrentSession.make")(function* (
    options: CurrentSessionOptions,
    quota: FeedQuota,
    counters: FeedCounters
  ) {
    const services = {
      circuits: yield* Circuits,
      sessions: yield* Sessions,
      intake: yield* Intake,
      live: yield* LivePublisher,
      clock: yield* Effect.clock,
      rejoinTimeout: yield* FiberHandle.make()
    }
    const session = new CurrentSession(options, quota, counters, services)
    const { connection, sessionId, takenOver } = options
    if (takenOver !== undefined || sessionId !== undefined) {
      const claimed = yield* takenOver !== undefined
        ? services.sessions.session(takenOver)
        : services.sessions.claimSession(sessionId!, connection)
      services.intake.begin(claimed.id)
      session.#open = yield* resumeSession(claimed, session.#now()).pipe(
        // Without this, a claim would block the session until the service starts again.
        Effect.tapError(() => Effect.sync(() => session.#offerEnd(claimed.id)))
      )
    }
    return session
  })

  /** Undefined while no session runs. */
  get open(): OpenSession | undefined {
    return this.#open
  }

  /** Succeeds when the last session that was ended is stored, and all sessions before it. */
  get stored(): Effect.Effect<void> {
    return this.#stored
  }

  /** Returns what must be awaited before points can be recorded. */
  prepare(): Wait {
    this.#leaveTaken()
    if (this.#isGone)
      return Effect.zipRight(
        this.#replace(),
        Effect.suspend(() => this.#cancelTimeout())
      )
    if (this.#refusedStart !== undefined && this.#quota.allowsSession)
      return this.#beginAs(this.#refusedStart)
    // Points without a session message before them continue the session that the link left.
    return this.#open?.awaitsSimulator === true ? this.#cancelTimeout() : undefined
  }

  /**
   * To be called when the simulator reports a running session. On another link, the open session goes on if it has the
   * same names. On the same link, it goes on if its clock decides about sessions. Otherwise another session begins.
   */
  start(event: Started): Effect.Effect<void> {
    return Effect.zipRight(
      FiberHandle.clear(this.#services.rejoinTimeout),
      Effect.suspend(() => this.#start(event))
    )
  }

  /**
   * Begins another session with the same names: the clock of the open session fell, so the points that follow are not
   * its own.
   */
  startOver(): Effect.Effect<void> {
    const said = this.#said!
    const isStated = this.#open?.clock.isStated === true
    return this.#beginAs(isStated ? said : { ...said, clockZero: undefined, datetime: undefined })
  }

  /**
   * Adds channels that the feed declares. They apply to the open session and to those that begin later over this link.
   */
  declare(groups: ReadonlyArray<GroupDeclaration>): ReadonlyArray<RefusedChannel> {
    this.#declareAnew()
    const { dictionary, refused } = this.#declared.withGroups(groups)
    this.#declared = dictionary
    return this.#open?.declare(groups) ?? refused
  }

  /** Offers the laps that the session has completed to the store, within the feed's quota. */
  offerLaps(session: OpenSession, cuts: ReadonlyArray<LapCut>): void {
    for (const cut of this.#quota.allowedLaps(cuts)) this.#services.intake.tryOffer(session.entryOf(cut))
  }

  /** Continues the open session: the feed of the link before goes on, and has declared its channels. */
  goOn(): Wait {
    this.#isNewLink = false
    if (this.#open === undefined) return undefined
    this.#open.awaitsSimulator = false
    return FiberHandle.clear(this.#services.rejoinTimeout)
  }

  /** Changes a lap that the simulator reported with this `ref`. */
  changeLap(ref: number, change: LapChange): void {
    const startTime = this.#open?.lapWith(ref)
    if (this.#open === undefined || startTime === undefined) return
    this.#services.intake.tryOffer({ _tag: "LapChange", sessionId: this.#open.id, startTime, change })
  }

  /** Gives the open session these names; names that are left out stay. */
  rename(names: Partial<SessionNames>): void {
    const open = this.#open
    if (open === undefined) return
    const now = namesOf({ circuit: "", vehicle: "", driver: "", ...names }, open.names)
    if (sameNames(open.names, now)) return
    open.names = now
    this.#services.intake.tryOffer({ _tag: "Names", sessionId: open.id, names: now })
    this.#options.changed?.()
  }

  /** Ends the session; `stored` succeeds when all of it is stored. */
  end(): void {
    this.#refusedStart = undefined
    const session = this.#open
    if (session === undefined) return
    this.#open = undefined
    this.#options.changed?.()
    this.offerLaps(session, session.tracker.finish())
    this.#offerEnd(session.id)
  }

  /** Leaves the session open after a lost link. Unless another link continues it in time, `end` ends it. */
  linkLost(end: Effect.Effect<void>): Effect.Effect<void> {
    this.#isNewLink = true
    const session = this.#open
    if (session === undefined) return Effect.void
    session.linkLost()
    // Links that come and go without continuing the session do not prolong it.
    const run = FiberHandle.run(this.#services.rejoinTimeout, { onlyIfMissing: true })
    return Effect.asVoid(run(Effect.delay(end, REJOIN_WITHIN)))
  }

  /** Forgets the channels that were declared over the link before: a feed begins anew. */
  #declareAnew(): void {
    if (this.#isNewLink) this.#declared = emptyDictionary
    this.#isNewLink = false
  }

  #leaveTaken(): void {
    if (this.#open === undefined || !this.#services.intake.isTakenOver(this.#open.id)) return
    this.#isTakenOver = true
    this.#open = undefined
    this.#options.changed?.()
  }

  get #isGone(): boolean {
    return this.#open !== undefined && this.#services.intake.isGone(this.#open.id)
  }

  #now(): number {
    return this.#services.clock.unsafeCurrentTimeMillis() / 1000
  }

  #cancelTimeout(): Effect.Effect<void> {
    return this.#open?.awaitsSimulator === true
      ? FiberHandle.clear(this.#services.rejoinTimeout)
      : Effect.void
  }

  #start(event: Started): Effect.Effect<void> {
    return Effect.gen(this, function* () {
      this.#said = event
      this.#declareAnew()
      this.#leaveTaken()
      if (this.#isGone) this.#open = undefined
      const open = this.#open
      if (open === undefined || !this.#goesOn(open, event)) return yield* this.#beginAs(event)
      const { clock, tracker } = open
      tracker.restate(event)
      clock.falls = this.#fallsOf(event)
      if (!open.awaitsSimulator) return clock.restated(event.clockZero)
      open.awaitsSimulator = false
      // A datagram source has no sequence numbers: its clock may have been reset meanwhile, so the next arrival anchors it.
      clock.rejoined(event.clockZero, this.#options.reliable ? clock.zero : undefined)
      if (clock.zero === undefined) tracker.interrupt()
    }).pipe(Effect.withSpan("CurrentSession.start"))
  }

  #goesOn(open: OpenSession, event: Started): boolean {
    const { names: chosen, sessionId } = this.#options
    const isChosen = open.id === sessionId
    if (isChosen && open.awaitsSimulator) return true
    if (!sameNames(open.names, namesOf(event, chosen))) return false
    return event.clockDecides === true ? isChosen || open.clock.states(event.clockZero) : open.awaitsSimulator
  }

  /** How the session treats a clock that fell. A session that the user chose is not left, whatever its clock does. */
  #fallsOf({ clockDecides }: Started): Falls {
    if (clockDecides !== true) return "refused"
    return this.#open?.id === this.#options.sessionId ? "anchored" : "another"
  }

  #beginAs(event: Started): Effect.Effect<void> {
    return Effect.gen(this, function* () {
      if (this.#isTakenOver) return
      const names = namesOf(event, this.#options.names)
      this.end()
      if (!this.#quota.takeSession()) {
        if (this.#counters.refusedSessions === 0) {
          yield* Effect.logWarning(
            "The simulator begins too many sessions; those beyond 5 a second are only counted"
          )
        }
        this.#counters.countRefusedSession()
        this.#refusedStart = event
        return
      }
      const layouts = yield* untilStored(
        "read sector lines",
        this.#services.circuits.sectorLines(names.circuit)
      ).pipe(
        Effect.catchTag("Refused", ({ cause }) =>
          Effect.as(Effect.logError("Laps have sectors by lines of their own", cause), [])
        )
      )
      const clock = new FeedClock(event.clockZero, this.#now())
      clock.isOfFile = this.#options.importId !== undefined
      clock.falls = event.clockDecides === true ? "another" : "refused"
      yield* this.#begin(event.datetime ?? event.clockZero ?? this.#now(), {
        names,
        tracker: new LapTracker(event, undefined, layouts),
        clock,
        awaitsSimulator: false,
        dictionary: this.#declared,
        isDictionaryStored: false,
        groups: new Map()
      })
    })
  }

  /** Continues the feed in another session, because the open one no longer exists. */
  #replace(): Effect.Effect<void> {
    const { awaitsSimulator, clock, dictionary, groups, names, tracker } = this.#open!
    return this.#begin(this.#now(), {
      names,
      tracker: tracker.anew(),
      clock,
      awaitsSimulator,
      dictionary,
      isDictionaryStored: false,
      groups
    })
  }

  #begin(datetime: number, state: Omit<OpenSessionOptions, "id" | "recorded">): Effect.Effect<void> {
    const { intake, live, sessions } = this.#services
    const { circuit, driver, vehicle } = state.names
    const { connection, importId } = this.#options
    return untilStored(
      "create a session",
      sessions.createSession(
        { circuit, vehicle, driver, datetime, importId, connection },
        { recording: true }
      )
    ).pipe(
      Effect.map((session) => {
        intake.begin(session.id)
        this.#open = new OpenSession({ ...state, id: session.id, recorded: 0 })
        this.#options.changed?.()
        live.announce({ type: "session", sessionId: session.id, data: session })
      }),
      // Its points are refused and counted.
      Effect.catchTag("Refused", ({ cause }) =>
        Effect.logError("A session cannot be recorded: the store refuses to create it", cause)
      )
    )
  }

  #offerEnd(sessionId: number): void {
    const done = Deferred.unsafeMake<void>(FiberId.none)
    this.#stored = Deferred.await(done)
    // An end needs no room in the intake.
    this.#services.intake.tryOffer({ _tag: "End", sessionId, done })
  }
}
