/** Compares the stored points of a numbered feed with those that the feed remembers. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { csvRowOf } from "../api/points.ts"
import { type FeedLink, numberOf, type NumberedFeed, pointOf } from "./NumberedFeed.ts"

/** The time from the start of a recorder to its end. */
export interface Life {
  readonly firstLink: number
  /** The number of its points of which the laps are stored as well. */
  readonly settled: number
}

interface StoredLap {
  readonly lap_number: number
  readonly lap_time: number | null
  readonly valid: boolean
}

/** Requests until the answer is 200, since a store may still be on its way back. */
const answered = (service: Box.Running, path: string) =>
  Box.until(
    Effect.promise(async () => {
      // A request on its way to a worker that is killed gets no answer.
      const signal = AbortSignal.timeout(30_000)
      const answer = await fetch(`${service.address}/api/v1${path}`, {
        headers: { connection: "close" },
        signal
      })
      const text = await answer.text()
      return { ok: answer.ok, text }
    }).pipe(Effect.catchAllDefect(() => Effect.succeed({ ok: false, text: "" }))),
    ({ ok }) => ok
  ).pipe(Effect.map(({ text }) => text))

/** The numbers of a session's points; expects the values of each to the last bit, and ascending times. */
const numbersIn = (csv: string): ReadonlyArray<number> => {
  const numbers: Array<number> = []
  for (const line of csv.split("\r\n").slice(1)) {
    if (line === "") continue
    // The first column is the lap's.
    const values = line.slice(line.indexOf(",") + 1)
    const number = numberOf(Number(values.slice(0, values.indexOf(","))))
    const point = pointOf(number)
    const expected = csvRowOf(point)
    if (values !== expected) throw new Error(`point ${number} is ${values} instead of ${expected}`)
    if (numbers.length > 0 && numbers.at(-1)! >= number)
      throw new Error(`point ${number} follows ${numbers.at(-1)}`)
    numbers.push(number)
  }
  return numbers
}

/** Expects laps with a time to be those that the feed sent, each once; incomplete laps have no time, and are invalid. */
const lapsKept = (stored: ReadonlyArray<StoredLap>, links: ReadonlyArray<FeedLink>): ReadonlySet<number> => {
  const sentTimes = new Map(links.flatMap(({ laps }) => laps).map((lap) => [lap.lap_number, lap.lap_time]))
  const kept = new Set<number>()
  for (const { lap_number, lap_time, valid } of stored) {
    if (lap_time === null) {
      expect([lap_number, valid]).toEqual([lap_number, false])
      continue
    }
    expect([lap_number, lap_time, valid]).toEqual([lap_number, sentTimes.get(lap_number), true])
    expect([lap_number, kept.has(lap_number)]).toEqual([lap_number, false])
    kept.add(lap_number)
  }
  return kept
}

/** The number of stored points of a link: its first ones, without a gap. */
const beginningOf = (link: FeedLink, stored: Uint8Array): number => {
  let first = link.from
  while (first < link.until && stored[first] === 1) first++
  // Past the end of the array the value is undefined, which ends the loop.
  const later = stored.indexOf(1, first)
  if (later !== -1 && later < link.until)
    throw new Error(
      `of the link ${link.from} to ${link.until}, point ${first} is lost and ${later} is stored`
    )
  return first - link.from
}

/** The number of settled points of a link, by the life of the recorder that it belongs to. */
const settledOf = (link: number, points: ReadonlyArray<number>, lives: ReadonlyArray<Life>): number => {
  const life = lives.findLast(({ firstLink }) => firstLink <= link)!
  return life.settled - points.slice(life.firstLink, link).reduce((sum, count) => sum + count, 0)
}

/**
 * The number of stored points of each link. Every point is stored once at most, and none that was not sent; a lap that was
 * sent is stored if the point behind it is settled, and its points are stored if it is. The feed may go on meanwhile.
 */
export const storedOf = Effect.fn(function* (
  service: Box.Running,
  feed: NumberedFeed,
  lives: ReadonlyArray<Life>
) {
  const stored = new Uint8Array(feed.sent)
  const laps: Array<StoredLap> = []
  const lapsBefore: Array<StoredLap> = []
  const { items } = JSON.parse(yield* answered(service, "/sessions?limit=1000")) as {
    readonly items: ReadonlyArray<{ readonly id: number }>
  }
  const lapsOf = (id: number) =>
    Effect.map(answered(service, `/${id}/laps`), (text) => JSON.parse(text) as ReadonlyArray<StoredLap>)
  for (const { id } of items) {
    lapsBefore.push(...(yield* lapsOf(id)))
    for (const number of numbersIn(yield* answered(service, `/export/session/${id}`))) {
      if (number >= feed.sent) throw new Error(`point ${number} was never sent`)
      if (stored[number] === 1) throw new Error(`point ${number} is stored twice`)
      // Points sent since then are checked the next time.
      if (number < stored.length) stored[number] = 1
    }
    laps.push(...(yield* lapsOf(id)))
  }
  const points = feed.links.map((link) => beginningOf(link, stored))
  const kept = lapsKept(laps, feed.links)
  const keptBefore = lapsKept(lapsBefore, feed.links)
  for (const [n, link] of feed.links.entries()) {
    const end = link.from + points[n]!
    const settled = settledOf(n, points, lives)
    for (const { lap_number, until } of link.laps) {
      if (until < end && until - link.from < settled)
        expect([lap_number, kept.has(lap_number)]).toEqual([lap_number, true])
      if (keptBefore.has(lap_number) && until > end)
        throw new Error(`lap ${lap_number} is stored, and its points from ${end} on are not`)
    }
  }
  return points
})
