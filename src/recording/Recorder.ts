/**
 * Turns one connection's events into a session's points and laps.
 *
 * Responsibilities: create, continue and end sessions; anchor the feed's clock; refuse points that may not be
 * recorded; cut laps; show points to the live audience; hand everything to the intake, and wait there.
 *
 * Ordering: one call at a time (a semaphore), so what a feed says first is recorded first. Points are shown
 * live before they are stored; a lap or an ended session only after.
 *
 * Hard cases: a session may be deleted while it is recorded, though nobody is let: what comes after the writer has noticed
 * goes into a new one. A link that is lost leaves the session open for `REJOIN_WITHIN`; the same three names within
 * that time go on with it, other names end it. A feed that starts over after that has its points and laps
 * refused as old, so nothing is stored twice. A feed that begins more sessions, or completes more laps, than any race has is
 * read more slowly where it can be made to wait, and else has what is too many refused. Points before any session have nowhere to go and are refused,
 * unless the user named a session to record into.
 */
import { Deferred, Effect, FiberHandle, Option, type Scope } from "effect"
import { SessionBeingRecorded, SessionNotFound, type StoreUnavailable } from "../domain/errors.ts"
import type { SessionNames } from "../domain/Session.ts"
import type { SimulatorEvent } from "../domain/SimulatorEvent.ts"
import { LiveFeed } from "../live/LiveFeed.ts"
import { Catalog } from "../store/Catalog.ts"
import { PointStore } from "../store/PointStore.ts"
import type { FeedPoints } from "./admission.ts"
import { breathe } from "../threads/breathe.ts"
import { Budget } from "./Budget.ts"
import { type Entry, Intake } from "./Intake.ts"
import type { LapCut } from "./laps.ts"
import { LapTracker } from "./LapTracker.ts"
import { OpenSession, type OpenSessionOptions } from "./OpenSession.ts"
import { namesOf, sameNames } from "./sessionNames.ts"
import { Tally } from "./Tally.ts"
import { untilStored } from "./untilStored.ts"

/** How long a session outlives its link (native-feed.md). */
export const REJOIN_WITHIN = "10 minutes"

/** What one feed may cause in the long run. A session costs some ten transactions of the catalog, a lap a part of one. */
const MAX_SESSIONS_PER_S = 5
const MAX_LAPS_PER_S = 100
/** A session costs as much as so many laps, and after so much the event loop has a turn: some ten milliseconds. */
const WORK_OF_SESSION = 16
const WORK_OF_TURN = 64
/** Laps that are cut of points in one go, some milliseconds of it; then the event loop has a turn. */
const MAX_LAPS_AT_ONCE = 256
/** Points that are recorded without waiting, and of which each may end a lap. Larger batches are worth a fiber's turn. */
const MAX_POINTS_NOW = 1024

export interface RecorderOptions {
  /** Record into this existing session instead of a new one. */
  readonly sessionId: number | undefined
  /** Used where the simulator does not say. */
  readonly names: { readonly [K in keyof SessionNames]?: string | undefined }
  /** A feed that can be made to wait is never dropped from. */
  readonly reliable: boolean
}

export interface Recorder {
  readonly tally: Tally
  /** The session that is being recorded, null before one runs. */
  readonly sessionId: () => number | null
  /** Takes events in order; returns when they are in the intake. */
  readonly record: (events: ReadonlyArray<SimulatorEvent>) => Effect.Effect<void>
  /**
   * Takes what needs no waiting, from the first event on, and returns how many: points for a session that runs and, of a feed
   * that can be made to wait, that there is room for. The others are for `record`, which must not be under way.
   */
  readonly recordNow: (events: ReadonlyArray<SimulatorEvent>) => number
  /** Waits, where the feed has caused more sessions or laps than it may: to be done before more is read. */
  readonly awaitBudget: Effect.Effect<void>
  /** The link is gone; the session stays open for a while. */
  readonly linkLost: Effect.Effect<void>
  /** Ends the session; returns when all of it is stored. */
  readonly close: Effect.Effect<void>
}

type Started = Extract<SimulatorEvent, { readonly _tag: "SessionStarted" }>
type Points = Extract<SimulatorEvent, { readonly _tag: "Points" }>
type Refused = Extract<SimulatorEvent, { readonly _tag: "Refused" }>
type Discarded = Extract<SimulatorEvent, { readonly _tag: "Discarded" }>
type Foreign = Extract<SimulatorEvent, { readonly _tag: "Foreign" }>
type LapCompleted = Extract<SimulatorEvent, { readonly _tag: "LapCompleted" }>

const noFacts = { circuitLength: undefined, startLine: undefined }

export const make = Effect.fn("Recorder.make")(function* (
  options: RecorderOptions
): Effect.fn.Return<
  Recorder,
  SessionNotFound | SessionBeingRecorded | StoreUnavailable,
  Catalog | PointStore | Intake | LiveFeed | Scope.Scope
> {
  const catalog = yield* Catalog
  const points = yield* PointStore
  const intake = yield* Intake
  const live = yield* LiveFeed
  const clock = yield* Effect.clock
  const turn = yield* Effect.makeSemaphore(1)
  const farewell = yield* FiberHandle.make()
  const tally = new Tally()
  /** Epoch seconds. */
  const now = () => clock.unsafeCurrentTimeMillis() / 1000
  const sessions = new Budget(MAX_SESSIONS_PER_S)
  const laps = new Budget(MAX_LAPS_PER_S)
  /** Of sessions and laps since the event loop had a turn: what they cost, in laps. */
  let work = 0
  let open: OpenSession | undefined
  /** The newest session that came too soon after others. It begins as soon as one may, if it still runs. */
  let refusedStart: Started | undefined
  /** Ends when the last session that was ended is stored, and with it all before. */
  let stored: Effect.Effect<void> = Effect.void

  const offerEnd = Effect.fnUntraced(function* (sessionId: number) {
    const done = yield* Deferred.make<void>()
    stored = Deferred.await(done)
    yield* intake.offer({ _tag: "End", sessionId, done })
  })

  /** Takes over a session that exists, where its last point and lap left off. */
  const resume = Effect.fn("Recorder.resume")(function* (sessionId: number) {
    const session = yield* catalog.claimSession(sessionId)
    intake.begin(sessionId)
    const [bounds, recorded, laps, layouts] = yield* Effect.all([
      points.bounds(sessionId),
      // Numbers of points are for live clients: a session whose stored points cannot be counted now goes on without them.
      Effect.orElseSucceed(points.count({ sessionId, from: -Infinity, until: Infinity }), () => undefined),
      catalog.laps(sessionId),
      catalog.sectorLines(session.circuit)
    ]).pipe(
      // A claim that nobody gives back would keep the session from everyone until the service starts again.
      Effect.tapError(() => offerEnd(sessionId))
    )
    const continuation = {
      nextNumber: laps.reduce((most, lap) => Math.max(most, lap.lap_number), 0) + 1,
      lastLapEnd: laps.reduce((latest, lap) => Math.max(latest, lap.end_time), -Infinity)
    }
    const last = Option.match(bounds, { onNone: () => -Infinity, onSome: (known) => known.last })
    open = new OpenSession({
      id: session.id,
      names: session,
      tracker: new LapTracker(noFacts, continuation, layouts),
      zero: undefined,
      last,
      // Nobody remembers. A replay's points arrived later than that, which allows more; none arrives before now.
      lastArrival: Math.min(last, now()),
      awaitsSimulator: true,
      recorded
    })
  })

  const millis = () => clock.unsafeCurrentTimeMillis()

  /** Those that the feed may have: all, where it is made to wait for them. */
  const allowed = (cuts: ReadonlyArray<LapCut>): ReadonlyArray<LapCut> => {
    if (cuts.length === 0) return cuts
    work += cuts.length
    if (options.reliable) {
      laps.spend(cuts.length, millis())
      return cuts
    }
    const kept = cuts.filter(() => laps.take(millis()))
    if (kept.length < cuts.length) tally.countRefusedLaps(cuts.length - kept.length)
    return kept
  }

  const offerLaps = (session: OpenSession, cuts: ReadonlyArray<LapCut>) =>
    Effect.forEach(allowed(cuts), (cut) => intake.offer(session.entryOf(cut)), { discard: true })

  const turnIfDue = Effect.suspend(() => {
    if (work < WORK_OF_TURN) return Effect.void
    work = 0
    return breathe
  })

  const awaitBudget = Effect.suspend(() => {
    const wait = Math.max(sessions.wait(millis()), laps.wait(millis()))
    return options.reliable && wait > 0 ? Effect.sleep(wait) : turnIfDue
  })

  const endSession = Effect.gen(function* () {
    refusedStart = undefined
    const session = open
    if (session === undefined) return
    open = undefined
    yield* offerLaps(session, session.tracker.finish())
    yield* offerEnd(session.id)
  })

  const startSession = Effect.fn("Recorder.startSession")(function* (event: Started) {
    const names = namesOf(event, options.names)
    if (isGone(open)) open = undefined
    const chosen = open !== undefined && open.id === options.sessionId
    if (open !== undefined && open.awaitsSimulator && (chosen || sameNames(open.names, names))) {
      open.awaitsSimulator = false
      // A datagram source numbers nothing: its clock may have begun anew meanwhile, and is anchored again by arrival.
      open.zero = event.clockZero ?? (options.reliable ? open.zero : undefined)
      open.tracker.rejoin(event)
      return
    }
    yield* endSession
    work += WORK_OF_SESSION
    if (options.reliable) sessions.spend(1, millis())
    else if (!sessions.take(millis())) {
      if (tally.refusedSessions === 0) {
        yield* Effect.logWarning(
          "The simulator begins too many sessions; those beyond 5 a second are only counted"
        )
      }
      tally.countRefusedSession()
      refusedStart = event
      return
    }
    const layouts = yield* untilStored("read sector lines", catalog.sectorLines(names.circuit))
    yield* begin(event.datetime ?? event.clockZero ?? now(), {
      names,
      tracker: new LapTracker(event, undefined, layouts),
      zero: event.clockZero,
      last: -Infinity,
      lastArrival: now(),
      awaitsSimulator: false
    })
  })

  const begin = Effect.fnUntraced(function* (
    datetime: number,
    state: Omit<OpenSessionOptions, "id" | "recorded">
  ) {
    const { circuit, driver, vehicle } = state.names
    const session = yield* untilStored(
      "create a session",
      catalog.createSession({ circuit, vehicle, driver, datetime }, { recording: true })
    )
    intake.begin(session.id)
    open = new OpenSession({ ...state, id: session.id, recorded: 0 })
    live.announce({ type: "session", session_id: session.id, data: session })
  })

  const isGone = (session: OpenSession | undefined) => session !== undefined && intake.isGone(session.id)

  /** Where the session that is recorded is no more, the feed goes on in another. */
  const replaceGone = Effect.suspend(() => {
    const session = open
    if (session === undefined || !isGone(session)) return Effect.void
    const { awaitsSimulator, last, lastArrival, names, tracker, zero } = session
    return begin(now(), { names, tracker: tracker.anew(), zero, last, lastArrival, awaitsSimulator })
  })

  const countArrived = ({ batch, missing }: Points): number => {
    const arrival = now()
    tally.countReceived(batch.length, arrival)
    if (missing > 0) tally.countMissing(missing)
    return arrival
  }

  /** Those of the points that may be recorded, if there are any, as an entry and as they are. */
  const admit = (session: OpenSession, event: Points, arrival: number) => {
    const { points, rejected } = session.admit(event, arrival)
    for (const [reason, count] of rejected) tally.countRejected(reason, count)
    const { batch } = points
    if (batch.length === 0) return undefined
    const entry: Entry = { _tag: "Points", sessionId: session.id, batch, tally }
    return { entry, points }
  }

  /** Shows points that are recorded to the live audience, under their numbers. */
  const show = (session: OpenSession, { batch }: FeedPoints) =>
    live.publish(session.id, batch, session.number(batch.length))

  /** Whether the intake had room. If not, the points are counted as lost; they are shown, but have no numbers. */
  const keptNow = (session: OpenSession, entry: Entry, points: FeedPoints): boolean => {
    const kept = intake.tryOffer(entry)
    if (kept) show(session, points)
    else {
      tally.countDropped(points.batch.length)
      live.publish(session.id, points.batch)
    }
    return kept
  }

  const recordPoints = Effect.fnUntraced(function* (event: Points) {
    const arrival = countArrived(event)
    yield* replaceGone
    if (refusedStart !== undefined && sessions.allows(millis())) yield* startSession(refusedStart)
    const session = open
    if (session === undefined) return tally.countRejected("no_session", event.batch.length)
    // Points without a session message before them: the feed takes up what its link left.
    if (session.awaitsSimulator) yield* FiberHandle.clear(farewell)
    const admitted = admit(session, event, arrival)
    if (admitted === undefined) return
    const { entry, points } = admitted
    if (options.reliable) {
      // Before it waits for room: storage never delays what is live.
      show(session, points)
      yield* intake.offer(entry)
    } else if (!keptNow(session, entry, points)) return
    for (let from = 0; from < points.batch.length;) {
      const { cuts, next } = session.tracker.pointsFrom(points, from, MAX_LAPS_AT_ONCE)
      yield* offerLaps(session, cuts)
      if (next < points.batch.length) yield* breathe
      from = next
    }
  })

  const recordNow = (events: ReadonlyArray<SimulatorEvent>): number => {
    const session = open
    // What closes a session, or waits to, has taken `open` or set `awaitsSimulator` before it waits for anything.
    if (session === undefined || session.awaitsSimulator || isGone(session)) return 0
    if (options.reliable && laps.wait(millis()) > 0) return 0
    let taken = 0
    for (const event of events) {
      if (event._tag === "Points") {
        if (
          options.reliable &&
          !(event.batch.length <= MAX_POINTS_NOW && intake.isOpenTo(event.batch.length))
        )
          break
        const admitted = admit(session, event, countArrived(event))
        if (admitted !== undefined && keptNow(session, admitted.entry, admitted.points)) {
          for (const cut of allowed(session.tracker.points(admitted.points)))
            intake.tryOffer(session.entryOf(cut))
        }
      } else if (event._tag === "Discarded") recordDiscarded(event)
      else if (event._tag === "Foreign" && tally.foreign > 0)
        tally.countForeign(event.datagrams, event.senders)
      else break
      taken++
    }
    return taken
  }

  const recordRefusal = Effect.fnUntraced(function* (event: Refused) {
    if (tally.refusedMessages === 0) {
      yield* Effect.logWarning(
        `Refused a message of the simulator: ${event.reason}; later ones are only counted`
      )
    }
    tally.countRefusedMessage()
    if (event.points === 0) return
    tally.countReceived(event.points, now())
    tally.countRejected("malformed", event.points)
  })

  const recordLap = (event: LapCompleted) =>
    Effect.suspend(() => {
      const session = open
      if (session === undefined) return Effect.void
      const message = session.lapMessage(event, now())
      return message === undefined
        ? recordRefusal({ _tag: "Refused", reason: "a lap message whose times cannot be", points: 0 })
        : offerLaps(session, session.tracker.message(message))
    })

  const recordForeign = Effect.fnUntraced(function* ({ datagrams, senders }: Foreign) {
    if (tally.foreign === 0) {
      yield* Effect.logWarning(
        `Datagrams of the simulator's kind come from ${senders[0]}, too, and are left out: another sender was heard first`
      )
    }
    tally.countForeign(datagrams, senders)
  })

  const recordDiscarded = ({ points, reason }: Discarded) => {
    tally.countReceived(points, now())
    if (reason === "overflow") tally.countDropped(points)
    else tally.countRejected(reason === "late" ? "out_of_order" : reason, points)
  }

  const recordEvent = (event: SimulatorEvent): Effect.Effect<unknown> => {
    switch (event._tag) {
      case "Points":
        return recordPoints(event)
      case "LapCompleted":
        return recordLap(event)
      case "SessionStarted":
        return Effect.zipRight(FiberHandle.clear(farewell), startSession(event))
      case "SessionEnded":
        return endSession
      case "Refused":
        return recordRefusal(event)
      case "Foreign":
        return recordForeign(event)
      case "Discarded":
        return Effect.sync(() => recordDiscarded(event))
    }
  }

  if (options.sessionId !== undefined) yield* resume(options.sessionId)

  return {
    tally,
    sessionId: () => open?.id ?? null,
    record: (events) =>
      turn.withPermits(1)(
        Effect.forEach(events, (event) => Effect.zipRight(turnIfDue, recordEvent(event)), { discard: true })
      ),
    recordNow,
    awaitBudget,
    linkLost: turn.withPermits(1)(
      Effect.suspend(() => {
        if (open === undefined) return Effect.void
        open.awaitsSimulator = true
        open.tracker.linkLost()
        const giveUp = Effect.delay(turn.withPermits(1)(endSession), REJOIN_WITHIN)
        // Links that come and go while nobody takes the session up do not prolong it.
        return FiberHandle.run(farewell, giveUp, { onlyIfMissing: true })
      })
    ),
    close: turn.withPermits(1)(
      Effect.zipRight(
        endSession,
        Effect.suspend(() => stored)
      )
    )
  }
})
