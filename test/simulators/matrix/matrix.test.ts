/**
 * Every game by every rule of timekeeping.md that can happen to any: from the emulator's datagrams over links that come and go to
 * the catalog. The expected outcome is the emulator's drive.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { handedBy } from "../cases/handed.ts"
import { type RecordedSession, recordedOf } from "../cases/recorded.ts"
import { scene } from "../drivers/emulating.ts"
import { thorough } from "../../support/runs.ts"
import { faultsOf } from "../rides/judge.ts"
import { kinds } from "../drivers/index.ts"
import type { Kind } from "../drivers/suite/kind.ts"
import { EmulatedGame } from "./EmulatedGame.ts"
import { beginning, cannot, interrupted, type Scenario, unchanging, undisturbed } from "./scenarios.ts"

/** The driver of a kind. */
const simulatorOf = ({ protocol }: Kind) => protocol.replace(/-rallycross$|^(f1|forza)-.*$/, "$1")

const played = (kind: Kind, scenario: Scenario) =>
  Effect.suspend(() => {
    let game!: EmulatedGame
    const options = { startLine: scene.circuit.startLine, password: "asd" }
    const handed = handedBy(
      simulatorOf(kind),
      options,
      (arrive) => (game = new EmulatedGame(kind, scenario, arrive))
    )
    const names = { circuit: scene.circuit.name, vehicle: scene.vehicle.name, driver: scene.driver }
    return Effect.map(recordedOf(names, false, handed), (recorded) => ({ driven: game.driven, recorded }))
  })

const lapsOf = (recorded: ReadonlyArray<RecordedSession>) =>
  recorded.map(({ laps }) =>
    laps.map(
      ({ lapNumber, lapTime, valid, withdrawn = false }) =>
        `${lapNumber}: ${lapTime === null ? "no time" : lapTime.toFixed(2)}${valid ? "" : " not valid"}${withdrawn ? " withdrawn" : ""}`
    )
  )

const pointsOf = (recorded: ReadonlyArray<RecordedSession>) =>
  recorded.reduce((sum, { times }) => sum + times.length, 0)

/** The longest step from one point of a session to the next, s. */
const longestStep = (recorded: ReadonlyArray<RecordedSession>) =>
  Math.max(...recorded.flatMap(({ times }) => times.slice(1).map((time, i) => time - times[i]!)))

const timed = (recorded: ReadonlyArray<RecordedSession>) =>
  recorded.map(({ laps }) =>
    laps.flatMap(({ lapTime, valid }) => (valid && lapTime !== null ? [lapTime.toFixed(2)] : []))
  )

/** The rules that the game can show: `npm test` plays half of them, of the next game the other half, and `test:long` all. */
const shownBy = <Row extends readonly [string, unknown]>(
  kind: Kind,
  rows: ReadonlyArray<Row>
): ReadonlyArray<Row> =>
  rows.filter(
    ([rule], n) =>
      (thorough || (n + kinds.indexOf(kind)) % 2 === 0) &&
      !(cannot[kind.protocol] ?? []).some(([which]) => rule.startsWith(which))
  )

describe.each(kinds.map((kind) => [kind.protocol, kind] as const))("%s", (_, kind) => {
  const whole = Effect.runSync(
    Effect.cached(Effect.map(played(kind, undisturbed), ({ recorded }) => recorded))
  )

  it.live.each(shownBy(kind, unchanging))("rule %s", ([, scenario]) =>
    Effect.gen(function* () {
      const { points = Infinity, step = Infinity, ...more } = scenario()
      const { recorded } = yield* played(kind, more)
      const right = yield* whole
      expect(lapsOf(recorded)).toEqual(lapsOf(right))
      expect(Math.abs(pointsOf(recorded) - pointsOf(right))).toBeLessThanOrEqual(points)
      if (!kind.clockless) expect(longestStep(recorded)).toBeLessThan(step)
    })
  )

  it.live.each(shownBy(kind, beginning))("rule %s", ([, scenario]) =>
    Effect.gen(function* () {
      const { driven, recorded } = yield* played(kind, scenario)
      expect(timed(recorded)).toEqual(driven.map((laps) => laps.map(({ lapTime }) => lapTime.toFixed(2))))
    })
  )

  it.live.each(shownBy(kind, interrupted))("rule %s", ([, scenario]) =>
    Effect.gen(function* () {
      const { driven, recorded } = yield* played(kind, scenario)
      expect(recorded.length).toBe(1)
      expect(faultsOf(kind, { driven, recorded: recorded.flatMap(({ laps }) => laps) })).toEqual([])
      expect(timed(recorded)[0]!.at(-1)).toBe(driven[0]!.at(-1)!.lapTime.toFixed(2))
    })
  )
})
