/**
 * Records a simulator's events: the one place in which an event becomes points, samples, laps and counts.
 *
 * Plain functions. They return a `Wait` only if something must be awaited: a session that begins, room in the intake, a
 * turn of the event loop. So points of a running session need no fiber. Not safe against concurrent calls.
 *
 * Over 250 lines: there is one function for each kind of event, and all of them do the same kind of work.
 *
 * Ordering: points are published live before they are stored; laps follow their points in the intake.
 */
import { type Clock, Effect } from "effect"
import { channelSet } from "../../domain/ChannelSet.ts"
import { POINTS, type RefusedChannel } from "../../domain/Dictionary.ts"
import { channels } from "../../domain/pointChannels.ts"
import type { RowBatch } from "../../domain/RowBatch.ts"
import type { Rows, SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import type { LivePublisher } from "../../live/hub/LivePublisher.ts"
import { breathe } from "../../platform/threads/breathe.ts"
import type { FeedPoints } from "./admission.ts"
import type { CurrentSession } from "./CurrentSession.ts"
import type { FeedCounters } from "./FeedCounters.ts"
import type { FeedQuota } from "./FeedQuota.ts"
import type { Intake, RowsEntry } from "../intake/Intake.ts"
import type { OpenSession } from "./OpenSession.ts"
import { afterwards, andThen, type Wait } from "../intake/waits.ts"

/** Laps that are cut from points in one go, which takes some milliseconds. Then the event loop has a turn. */
const MAX_LAPS_AT_ONCE = 256

/** The channels of points whose source declares none. */
const undeclared = channelSet()

/** A connection logs this many refused channels. A feed may declare any number of them, any number of times. */
const MAX_LOGGED_REFUSALS = 32

type Event<Tag extends SimulatorEvent["_tag"]> = Extract<SimulatorEvent, { readonly _tag: Tag }>

interface Context {
  /** Whether the feed can be made to wait. */
  readonly reliable: boolean
  readonly clock: Clock.Clock
  readonly counters: FeedCounters
  readonly quota: FeedQuota
  readonly session: CurrentSession
  readonly intake: typeof Intake.Service
  readonly live: typeof LivePublisher.Service
  /** Whether samples are stored, or points alone. */
  readonly storesSamples: boolean
}

export class EventRecorder {
  readonly #context: Context
  /** The number of refused channels that were logged. */
  #refusals = 0
  /** A point that is kept only if the time after it agrees (`FeedClock`). */
  #waiting: { readonly open: OpenSession; readonly points: FeedPoints; readonly arrival: number } | undefined

  constructor(context: Context) {
    this.#context = context
  }

  /**
   * Records the events from the index `from` on, in order. If one has to wait, the returned Wait also records the
   * events after it.
   */
  record(events: ReadonlyArray<SimulatorEvent>, from = 0): Wait {
    const { quota } = this.#context
    for (let i = from; i < events.length; i++) {
      if (quota.isTurnDue) return andThen(quota.turn, () => this.record(events, i))
      const wait = this.#event(events[i]!)
      if (wait !== undefined) return andThen(wait, () => this.record(events, i + 1))
    }
    return undefined
  }

  #event(event: SimulatorEvent): Wait {
    switch (event._tag) {
      case "Rows":
        return this.#rows(event)
      case "ChannelsDeclared":
        return this.#declared(event)
      case "LapCompleted":
        return this.#lap(event)
      case "SessionStarted":
        return this.#context.session.start(event)
      case "SessionContinued":
        return this.#context.session.goOn()
      case "LapChanged":
        this.#context.session.changeLap(event.ref, event.change)
        return undefined
      case "SessionNamed":
        this.#context.session.rename(event.names)
        return undefined
      case "SessionEnded":
        return afterwards(this.settle(), () => void this.#context.session.end())
      case "Refused":
        return this.#refusal(event)
      case "Foreign":
        return this.#foreign(event)
      case "Discarded":
        return this.#discarded(event)
    }
  }

  #rows(event: Rows): Wait {
    const { counters, session } = this.#context
    const { batch, group, missing } = event
    const arrival = this.#now()
    counters.countReceived(group, batch.length, arrival)
    if (missing > 0) counters.of(group).countMissing(missing)
    return afterwards(session.prepare(), () => {
      if (group !== POINTS) return this.#keepSamples(event, arrival)
      const { lap, lapGroup, declared = undeclared, declaredBySome } = event
      const points = { batch: batch.only(channels), declared, declaredBySome, lap, lapGroup }
      return afterwards(this.#keepWaiting(batch.timestamps), () => this.#keep(points, arrival))
    })
  }

  /** Judges the waiting point. The link or the session ends, so no later time can agree with the point. */
  settle(): Wait {
    return this.#keepWaiting([Infinity])
  }

  /** Judges the point that waits for the time after it, now that points with `times` have arrived. */
  #keepWaiting(times: ArrayLike<number>): Wait {
    const waiting = this.#waiting
    if (waiting === undefined) return undefined
    this.#waiting = undefined
    if (waiting.open === this.#context.session.open) {
      return this.#keep(
        waiting.points,
        waiting.arrival,
        Array.from(times).find((time) => !Number.isNaN(time)) ?? Infinity
      )
    }
    this.#context.counters.points.countRejected("implausible_time", 1)
    return undefined
  }

  /**
   * Records points that arrived at `arrival`, epoch seconds. `next`: the time of the point after them on the feed's
   * clock, if it has arrived.
   */
  #keep(points: FeedPoints, arrival: number, next?: number): Wait {
    const { counters, session } = this.#context
    const { open } = session
    if (open === undefined) {
      counters.points.countRejected("no_session", points.batch.length)
      return undefined
    }
    const { another, points: admitted, rejected, waiting } = open.admit(points, arrival, next)
    for (const [reason, count] of rejected) counters.points.countRejected(reason, count)
    const repeated = rejected.size > 0 ? open.clock.takeRepeated() : undefined
    if (repeated !== undefined) {
      counters.notice(`times repeat: their resolution is ${repeated.resolution} s`, repeated.points)
    }
    const oddity = open.oddities.read(admitted.batch.timestamps, arrival)
    if (oddity !== undefined) counters.notice(oddity)
    if (waiting !== undefined) this.#waiting = { open, points: waiting, arrival }
    const kept = this.#keepAdmitted(open, admitted, arrival)
    return another === undefined
      ? kept
      : afterwards(kept, () => andThen(session.startOver(), () => this.#keep(another, arrival, next)))
  }

  /**
   * Hands admitted points and their lap columns to live clients and to the store, and cuts the laps that they complete.
   */
  #keepAdmitted(open: OpenSession, points: FeedPoints, arrival: number): Wait {
    const { counters, intake, live, reliable, storesSamples } = this.#context
    const { batch, lap, lapGroup } = points
    if (batch.length === 0) return undefined
    const laps = open.lapRows(points, arrival)
    this.#offerDictionary(open)
    if (lap !== undefined && lapGroup !== undefined) {
      counters.samples.addReceived(batch.length)
      if (laps === undefined) counters.samples.countRejected("undeclared", batch.length)
      else live.publish(open.id, lapGroup, laps)
    }
    const entry = this.#entryOf(open, POINTS, batch)
    if (!reliable && !intake.tryOffer(entry)) {
      counters.points.countDropped(batch.length)
      // Live clients still get these points, but without numbers, because the session does not have them.
      live.publish(open.id, POINTS, batch)
      if (laps !== undefined && storesSamples) counters.samples.countDropped(laps.length)
      return undefined
    }
    // Publish before a reliable feed waits for room: a slow store never delays live clients.
    live.publish(open.id, POINTS, batch, open.number(batch.length))
    return afterwards(reliable ? this.#offer(entry) : undefined, () =>
      afterwards(laps === undefined ? undefined : this.#store(open, lapGroup!, laps), () =>
        this.#cutLaps(open, points)
      )
    )
  }

  /** Records samples that arrived at `arrival`, epoch seconds. */
  #keepSamples(event: Rows, arrival: number): Wait {
    const { counters, live, session } = this.#context
    const { open } = session
    const group = open?.dictionary.group(event.group)
    if (open === undefined || group === undefined) {
      counters.samples.countRejected(open === undefined ? "no_session" : "undeclared", event.batch.length)
      return undefined
    }
    const { batch, notFinite, rejected } = open.admitSamples(group, event.batch, arrival)
    for (const [reason, count] of rejected) counters.samples.countRejected(reason, count)
    if (notFinite > 0) counters.countNotFinite(notFinite)
    if (batch.length === 0) return undefined
    this.#offerDictionary(open)
    live.publish(open.id, group.name, batch)
    return this.#store(open, group.name, batch)
  }

  #entryOf(open: OpenSession, group: string, batch: RowBatch): RowsEntry {
    return { _tag: "Rows", sessionId: open.id, group, batch, counters: this.#context.counters.of(group) }
  }

  /** Offers samples to the store. */
  #store(open: OpenSession, group: string, batch: RowBatch): Wait {
    const { counters, intake, reliable, storesSamples } = this.#context
    if (!storesSamples) return undefined
    const entry = this.#entryOf(open, group, batch)
    if (reliable) return this.#offer(entry)
    if (!intake.tryOffer(entry)) counters.samples.countDropped(batch.length)
    return undefined
  }

  /** Offers rows of a feed that can be made to wait. */
  #offer(entry: RowsEntry): Wait {
    const { intake } = this.#context
    return intake.isOpenTo(entry.batch.data.length) && intake.tryOffer(entry)
      ? undefined
      : intake.offer(entry)
  }

  /** Offers the dictionary before the rows that follow. It needs no room. */
  #offerDictionary(open: OpenSession): void {
    // Live clients also get channels that are not stored.
    this.#context.live.declare(open.id, open.dictionary)
    const declared = open.takeDictionary()
    if (declared === undefined) return
    const dictionary = this.#context.storesSamples ? declared : declared.withoutGroups
    this.#context.intake.tryOffer({ _tag: "Dictionary", sessionId: open.id, dictionary })
  }

  #declared({ groups }: Event<"ChannelsDeclared">): Wait {
    return this.#logRefused(this.#context.session.declare(groups))
  }

  #logRefused(refused: ReadonlyArray<RefusedChannel>): Wait {
    const logged = refused.slice(0, MAX_LOGGED_REFUSALS - this.#refusals)
    if (logged.length === 0) return undefined
    this.#refusals += logged.length
    const more = refused.length - logged.length
    return Effect.forEach(
      logged,
      ({ channel, group, reason }) =>
        Effect.logWarning(
          `Channel ${channel} of group ${group} is refused: ${reason}; its values are not kept`
        ),
      { discard: true }
    ).pipe(
      Effect.zipLeft(
        more > 0
          ? Effect.logWarning(`${more} more channels of the same declaration are refused`)
          : Effect.void
      )
    )
  }

  /** Cuts the laps that the points from the index `from` on complete. */
  #cutLaps(open: OpenSession, points: FeedPoints, from = 0): Wait {
    const { cuts, next } = open.tracker.pointsFrom(points, from, MAX_LAPS_AT_ONCE)
    this.#context.session.offerLaps(open, cuts)
    return next < points.batch.length ? andThen(breathe, () => this.#cutLaps(open, points, next)) : undefined
  }

  #lap(event: Event<"LapCompleted">): Wait {
    const { session } = this.#context
    const { open } = session
    if (open === undefined) return undefined
    const message = open.lapMessage(event, this.#now())
    if (message === undefined) {
      return this.#refusal({ _tag: "Refused", reason: "a lap message with impossible times", points: 0 })
    }
    const cuts = open.tracker.message(message)
    session.offerLaps(open, cuts)
    // The last lap is the message's own. The laps before it had no message.
    const cut = cuts.at(-1)
    if (event.lapTime !== null && cut?.lapTime === null) {
      this.#context.counters.notice("a lap message whose time is too short for the distance that was driven")
    }
    if (event.ref !== undefined && cut !== undefined) open.remember(event.ref, cut.startTime)
    return undefined
  }

  #refusal({ points, reason, samples = 0 }: Event<"Refused">): Wait {
    const { counters } = this.#context
    counters.countRefusedMessage()
    const isNew = counters.notice(reason)
    if (points > 0) {
      counters.countReceived(POINTS, points, this.#now())
      counters.points.countRejected("malformed", points)
    }
    if (samples > 0) {
      counters.samples.addReceived(samples)
      counters.samples.countRejected("malformed", samples)
    }
    return isNew
      ? Effect.logWarning(`Refused from the simulator: ${reason}; further ones of this kind are only counted`)
      : undefined
  }

  #foreign({ datagrams, senders }: Event<"Foreign">): Wait {
    const { counters } = this.#context
    const isFirst = counters.foreign === 0
    counters.countForeign(datagrams, senders)
    return isFirst
      ? Effect.logWarning(
          `Datagrams from ${senders[0]} are ignored: another sender of this simulator's kind was heard first`
        )
      : undefined
  }

  #discarded({ points, reason, samples = 0 }: Event<"Discarded">): undefined {
    const { counters } = this.#context
    if (samples > 0) {
      counters.samples.addReceived(samples)
      counters.samples.countDropped(samples)
    }
    if (points === 0) return
    counters.countReceived(POINTS, points, this.#now())
    if (reason === "overflow") counters.points.countDropped(points)
    else counters.points.countRejected(reason === "late" ? "out_of_order" : reason, points)
  }

  #now(): number {
    return this.#context.clock.unsafeCurrentTimeMillis() / 1000
  }
}
