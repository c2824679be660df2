/**
 * Imports one file: a thread reads it, a recorder cuts it into sessions and laps, and the lane stores it.
 *
 * Guarantees: an import that is `done` or `partial` has stored everything that was read. One that failed or was cancelled
 * leaves no session, and neither does one that was cut off (removeBroken.ts).
 */
import { Clock, Effect } from "effect"
import type { ImportOptions, ImportReport, ImportState } from "../domain/FileImport.ts"
import { noReport } from "../domain/FileImport.ts"
import { entryOf } from "../platform/threads/entry.ts"
import * as ThreadDialogue from "../platform/threads/ThreadDialogue.ts"
import * as Recorder from "../recording/feed/Recorder.ts"
import { FileImports } from "../store/FileImports.ts"
import { countRows, eventOf, memoryOf } from "./eventsOfReader.ts"
import type { Facts } from "./FileReader.ts"
import { StoredOfFile } from "./importLane.ts"
import type { FromReader, ReadTask } from "./readerThread.ts"
import { overlapsOf } from "./overlaps.ts"
import { removeSessions } from "./removeSessions.ts"
import { knownStartLines, startLineOf } from "./startLines.ts"
import { factOf, START_LINE } from "./tables/KnownLines.ts"

/** A file that is to be imported, under the number that it has in the catalog. */
export interface ImportJob extends Omit<ReadTask, "options"> {
  readonly id: number
  /** If it was recognised already. */
  readonly format?: string | null
  readonly options: ImportOptions
}

/**
 * How often the catalog gets the progress: at most this often, ms, and after this share of the time that the import has taken.
 * Each time is a commit, and live clients wait until it is on disk.
 */
const REPORT_EVERY_MS = 500
const REPORT_SHARE = 0.1
const MAX_WARNINGS = 100

const here = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The names of a session whose file and user name none. */
const unknownNames = { circuit: "Unknown circuit", vehicle: "Unknown vehicle", driver: "Unknown driver" }

const given = ({ circuit, driver, vehicle }: ImportOptions) => ({
  ...(circuit === undefined ? {} : { circuit }),
  ...(vehicle === undefined ? {} : { vehicle }),
  ...(driver === undefined ? {} : { driver })
})

class Report {
  #report: ImportReport
  readonly #started: number
  #reportedAt: number
  facts: ReadonlyArray<Facts> = []
  /** For each session of the file whether its laps are the file's. */
  readonly tellsLaps: Array<boolean> = []
  partial: string | undefined

  constructor(started: number, format: string | null) {
    this.#report = { ...noReport, format }
    this.#started = started
    this.#reportedAt = started
  }

  set(change: Partial<ImportReport>): void {
    this.#report = { ...this.#report, ...change }
  }

  /** Adds what a piece of the file brought. */
  add(piece: Extract<FromReader, { readonly events: unknown }>, counted: ReturnType<typeof countRows>): void {
    const { duplicates, read, refused, rows, values, warnings } = this.#report
    this.set({
      read: Math.max(read, Math.round(piece.read)),
      rows: rows + counted.rows,
      values: values + counted.values,
      duplicates: duplicates + (piece.duplicates ?? 0),
      warnings: [...warnings, ...(piece.warnings ?? [])].slice(0, MAX_WARNINGS),
      refused: piece.refused === undefined ? refused : summed(refused, piece.refused)
    })
    this.facts = piece.facts ?? this.facts
    this.partial ??= piece.partial
  }

  get report(): ImportReport {
    return this.#report
  }

  /** Whether the catalog should get the report now. */
  isDue(now: number): boolean {
    const after = Math.max(REPORT_EVERY_MS, REPORT_SHARE * (now - this.#started))
    if (now - this.#reportedAt < after) return false
    this.#reportedAt = now
    return true
  }

  /** With the rate so far. */
  at(now: number): ImportReport {
    const seconds = Math.max(1, now - this.#started) / 1000
    return { ...this.#report, rowsPerSecond: Math.round(this.#report.rows / seconds) }
  }
}

const summed = (a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [key, (a[key] ?? 0) + (b[key] ?? 0)])
  )

/** The start line by the session's laps. The session is stored, whatever else is found out about it. */
const lineOf = (sessionId: number) =>
  Effect.catchAll(startLineOf(sessionId), (cause) =>
    Effect.as(Effect.logWarning("No start line can be found", cause), undefined)
  )

/** Reads and stores the file. Succeeds with why nothing could be read of it, or with undefined. */
const storeAll = Effect.fnUntraced(function* ({ id, options, ...file }: ImportJob, report: Report) {
  const { changeImport } = yield* FileImports
  const stored = yield* StoredOfFile
  const { modified, name, path, siblings } = file
  const task: ReadTask = {
    path,
    name,
    modified,
    siblings,
    options: { timeZone: options.timeZone ?? here(), startLines: yield* knownStartLines }
  }
  const ask = yield* ThreadDialogue.start<ReadonlyArray<ArrayBuffer>, IteratorResult<FromReader, void>>(
    entryOf("./readerThread", import.meta.url),
    task
  )
  const recorder = yield* Effect.acquireRelease(
    Recorder.make({
      sessionId: undefined,
      names: { ...unknownNames, ...given(options) },
      reliable: true,
      importId: id
    }).pipe(
      // It records into no session that was there before.
      Effect.catchTags({ SessionNotFound: Effect.die, SessionBeingRecorded: Effect.die })
    ),
    ({ close }) => close
  )
  /** The memory of rows that the lane has copied: the reader uses it again. */
  let copied: ReadonlyArray<ArrayBuffer> = []
  for (;;) {
    const item = yield* ask(copied, copied)
    if (item.done === true) break
    const piece = item.value
    copied = "events" in piece ? memoryOf(piece.events) : []
    if ("unreadable" in piece) return piece.unreadable
    if ("format" in piece) {
      report.set({ format: piece.format })
      continue
    }
    const events = piece.events.map(eventOf)
    report.add(piece, countRows(events))
    for (const event of events)
      if (event._tag === "SessionStarted") report.tellsLaps.push(event.tellsLaps === true)
    if (!recorder.offer(events)) yield* recorder.ready
    const now = yield* Clock.currentTimeMillis
    if (!report.isDue(now)) continue
    report.set({ laps: stored.laps })
    yield* changeImport(id, { report: report.at(now) })
  }
  yield* recorder.close
  const { points, samples } = recorder.counters
  report.set({
    refused: summed(
      report.report.refused,
      summed(Object.fromEntries(points.rejected), Object.fromEntries(samples.rejected))
    )
  })
  return undefined
}, Effect.scoped)

/**
 * Imports the file. Its sessions belong to the import; a failure of the store is retried for as long as it takes.
 * `isCancelled`: whether an interruption is the user's wish. Otherwise it is the end of the program, and what is stored so
 * far is left to `removeBroken`.
 */
export const importFile = Effect.fn("importFile")(function* (
  job: ImportJob,
  isCancelled: () => boolean = () => true
) {
  const imports = yield* FileImports
  const stored = yield* StoredOfFile
  stored.sessions = []
  stored.laps = 0
  const started = yield* Clock.currentTimeMillis
  const report = new Report(started, job.format ?? null)
  yield* imports.changeImport(job.id, { state: "reading", started: started / 1000, report: report.report })
  const finish = Effect.fnUntraced(function* (state: ImportState, detail: string | null) {
    const now = yield* Clock.currentTimeMillis
    report.set({ laps: stored.laps, detail })
    return yield* imports.changeImport(job.id, { state, finished: now / 1000, report: report.at(now) })
  })
  const failed = (state: "failed" | "cancelled", detail: string) =>
    Effect.zipRight(
      removeSessions(stored.sessions),
      Effect.suspend(() => {
        stored.laps = 0
        return finish(state, detail)
      })
    )
  const complete = Effect.fnUntraced(function* (unreadable: string | undefined) {
    if (unreadable !== undefined) return yield* failed("failed", unreadable)
    const { sessions } = stored
    // Rows before any session are in none.
    if (report.report.rows === 0 || sessions.length === 0) {
      return yield* failed("failed", report.partial ?? "The file has no rows")
    }
    for (const [n, sessionId] of sessions.entries()) {
      const facts = report.facts[n] ?? {}
      const line =
        report.tellsLaps[n] === true && !(START_LINE in facts) ? yield* lineOf(sessionId) : undefined
      yield* imports.keepFacts(sessionId, line === undefined ? facts : { ...facts, ...factOf(line) })
    }
    // The session is stored, whatever it may be compared with.
    const overlaps = yield* Effect.forEach(sessions, overlapsOf).pipe(
      Effect.catchAll((cause) => Effect.as(Effect.logWarning("No overlaps can be found", cause), []))
    )
    report.set({ overlaps: [...new Set(overlaps.flat())] })
    return yield* finish(report.partial === undefined ? "done" : "partial", report.partial ?? null)
  })
  return yield* storeAll(job, report).pipe(
    Effect.flatMap(complete),
    Effect.onInterrupt(() =>
      isCancelled() ? Effect.ignoreLogged(failed("cancelled", "It was cancelled")) : Effect.void
    ),
    Effect.catchAllDefect((defect) =>
      Effect.zipRight(
        Effect.logError(`The reader of ${job.name} failed`, defect),
        failed("failed", "The reader failed: the log has the reason")
      )
    )
  )
})
