/** A circuit's corners keep their numbers in all sessions and answers. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { storeLaps } from "./drivenLaps.ts"
import { type Service, service } from "../support/service.ts"

interface Compared {
  readonly corners: ReadonlyArray<{
    readonly label: string
    readonly number: number | null
    readonly apex: number
    readonly found_by: string
  }>
  readonly suggestions: ReadonlyArray<string>
}

const compare = (running: Service, laps: ReadonlyArray<{ readonly id: number }>) =>
  Effect.map(
    running.json(`/api/v1/compare?${laps.map(({ id }) => `lap_ids=${id}`).join("&")}`),
    ({ body }) => body as Compared
  )

it.scopedLive(
  "corners are found once, by whichever answer comes first, and numbered alike from then on",
  () =>
    Effect.gen(function* () {
      const running = yield* service()
      const { laps } = yield* storeLaps(running, 5)
      const kept = running.catalog.circuitLayouts("monza")
      expect(yield* kept).toEqual({ version: 0, layouts: [] })
      const pairs = laps.slice(1).flatMap((one, i) => laps.slice(i + 2).map((other) => [one, other]))
      const answers = yield* Effect.forEach(pairs, (pair) => compare(running, pair), { concurrency: 6 })
      const { layouts, version } = yield* kept
      expect(version).toBe(1)
      const [layout] = layouts
      expect(layouts).toHaveLength(1)
      expect(layout).toMatchObject({ laps: 3, official: null })
      const places = new Map(layout!.corners.map(({ distance, number }) => [number, distance]))
      const near = ({ corners }: Compared) => {
        const numbers = corners.flatMap(({ apex, number }) => (number === null ? [] : [{ apex, number }]))
        for (const { apex, number } of numbers) {
          expect(Math.abs(apex - places.get(number)!), `corner ${number}`).toBeLessThan(60)
        }
        return numbers.length
      }
      for (const answer of answers) expect(near(answer)).toBeGreaterThan(5)
      expect(answers.flatMap(({ suggestions }) => suggestions).join()).toMatch(
        /Corner \d+ \(unofficial number, \d+ m\): Lap/
      )

      // Another session without positions has the same numbers for the places where it is slow.
      const blind = yield* storeLaps(running, 3, { undeclared: ["position_x", "position_y", "position_z"] })
      const bySpeed = yield* compare(running, blind.laps)
      expect(bySpeed.corners.every(({ found_by }) => found_by === "speed")).toBe(true)
      expect(near(bySpeed)).toBeGreaterThan(3)

      // More laps than were examined refine the places, and no number changes.
      yield* compare(running, laps)
      const refined = yield* kept
      expect(refined.version).toBe(2)
      expect(refined.layouts[0]!.laps).toBeGreaterThan(3)
      for (const { distance, number } of refined.layouts[0]!.corners) {
        if (number !== null) expect(Math.abs(distance - places.get(number)!)).toBeLessThan(20)
      }
      expect(refined.layouts[0]!.corners.filter(({ number }) => number !== null)).toHaveLength(places.size)
    })
)
