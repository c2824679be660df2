/**
 * Stores the sessions of files, apart from what is recorded live: its own intake and writer, so that a file that is read
 * as fast as the store takes it fills no room of a simulator's rows. Nothing of it goes to live clients.
 */
import { Context, Effect, Layer } from "effect"
import { LivePublisher } from "../live/hub/LivePublisher.ts"
import { Intake, type IntakeEntry } from "../recording/intake/Intake.ts"
import * as StoreWriter from "../recording/intake/StoreWriter.ts"

/** Points that may wait for the store: 10 MB. */
const CAPACITY_POINTS = 131_072

/** Laps that reach the store together. */
const LAPS_TOGETHER = 64

/** The sessions and laps that were stored since the counts were begun. Plain, for one import at a time. */
export class StoredOfFile extends Context.Tag("imports/StoredOfFile")<
  StoredOfFile,
  { sessions: Array<number>; laps: number }
>() {}

/** Counts what is announced, and announces nothing. */
const counting = Layer.effect(
  LivePublisher,
  Effect.map(StoredOfFile, (stored) => ({
    publish: () => undefined,
    declare: () => undefined,
    announce: (event: Parameters<(typeof LivePublisher.Service)["announce"]>[0]) => {
      if (event.type === "lap") stored.laps += event.changed === undefined ? 1 : 0
      else if (event.type === "session" && !stored.sessions.includes(event.sessionId)) {
        stored.sessions.push(event.sessionId)
      }
    }
  }))
)

/**
 * The laps of a file reach the store together: each commit of the catalog keeps the event loop, and so live clients, until it
 * is on disk. What follows a lap in the order of its session, other than rows, takes the laps with it.
 */
const gathering = Layer.effect(
  Intake,
  Effect.map(Intake, (intake) => {
    let laps: Array<IntakeEntry> = []
    return {
      ...intake,
      tryOffer: (entry: IntakeEntry) => {
        if (entry._tag === "Rows") return intake.tryOffer(entry)
        laps.push(entry)
        if (entry._tag === "Lap" && laps.length < LAPS_TOGETHER) return true
        const gathered = laps
        laps = []
        // They need no room.
        return gathered.every(intake.tryOffer)
      }
    }
  })
).pipe(Layer.provide(Intake.layer(CAPACITY_POINTS)))

export const layer = StoreWriter.layer.pipe(
  Layer.provideMerge(gathering),
  Layer.provideMerge(counting),
  Layer.provideMerge(Layer.sync(StoredOfFile, () => ({ sessions: [], laps: 0 })))
)
