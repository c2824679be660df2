/**
 * Scores how well lines match the known circuits, as docs/analysis/method.md quotes it.
 *
 *   npm run node tools/docs/measureCircuits.ts
 */
import { knownCircuits } from "../../src/analysis/circuits/knownCircuits.ts"
import { type CornerLine, matchCircuit, rankedCircuits } from "../../src/analysis/circuits/matchCircuit.ts"
import { findCorners } from "../../src/analysis/corners/corners.ts"
import { circuitNamed, circuitNames } from "../../simulator/model/Circuit.ts"
import {
  backwards,
  captured,
  centreLine,
  circuitNamed as knownNamed,
  corner,
  drivenLine,
  lineDriven,
  lineOf,
  mirrored
} from "../../test/analysis/circuits/lines.ts"
import { lapsIn } from "../../test/analysis/lapData.ts"
import { portlandLaps } from "../../test/analysis/portland.ts"
import { sharedFolder } from "../../test/support/sharedData.ts"
import { bahrain, limeRock, needSharedData, roadAmerica } from "./sharedData.ts"

needSharedData()

const say = (words: string) => console.log(words)
const two = (value: number) => value.toFixed(2)
const best = (line: CornerLine) => rankedCircuits(line)[0]?.score ?? 0

say("line: matched, score, lead; the best score of any circuit as long mirrored, backwards")
const reported = (name: string, line: CornerLine) => {
  const match = matchCircuit(line)
  const found =
    match === undefined
      ? `none (best ${two(best(line))})`
      : `${match.circuit.name}, ${two(match.score)}, ${two(match.margin)}`
  say(`  ${name.padEnd(40)} ${found}; ${two(best(mirrored(line)))}, ${two(best(backwards(line)))}`)
}
for (const track of ["Sakhir", "Suzuka", "Spielberg", "Silverstone", "Monza", "Spa"])
  reported(`centre line, ${track}`, centreLine(track))
reported(
  "Assetto Corsa, Monza",
  captured("assetto-corsa-monza", (packet) =>
    packet.length === 328 ? { x: packet.readFloatLE(316), y: -packet.readFloatLE(324) } : undefined
  )
)
reported(
  "Gran Turismo 7, Spa",
  captured("gt7-spa-format-c-plain", (packet) => ({ x: packet.readFloatLE(4), y: -packet.readFloatLE(12) }))
)
for (const name of circuitNames) {
  const { length, x, y } = circuitNamed(name)!
  const distance = Array.from(x, (_, i) => (i * length) / x.length)
  reported(`bundled simulator, ${name}`, { length, corners: findCorners(x, y, distance, length) })
}

const monaco = (name: string) =>
  lapsIn(sharedFolder(`data/cases/analysis/${name}.ndjson.gz`)).filter(({ lap }) => lap.lapTime !== null)

say("\neach lap alone: matched, least score and lead")
for (const [name, laps] of [
  ["Bahrain", bahrain()],
  ["Road America", roadAmerica()],
  ["Monaco", monaco("race-monaco")],
  ["Monaco, stop", monaco("pitstop-monaco")],
  ["Portland", portlandLaps().filter(({ lap }) => lap.lapTime !== null)],
  ["Lime Rock", limeRock()]
] as const) {
  const lines = laps.filter(({ points }) => points.length >= 200).map((lap) => lineDriven([lap]))
  const found = lines.flatMap((line) => matchCircuit(line) ?? [])
  const least = (values: ReadonlyArray<number>) => (values.length === 0 ? "–" : two(Math.min(...values)))
  say(
    `  ${name.padEnd(16)} ${found.length} of ${lines.length} ${[...new Set(found.map(({ circuit }) => circuit.name))].join()}; ` +
      `${least(found.map(({ score }) => score))}, ${least(found.map(({ margin }) => margin))}`
  )
}

/** A generator with the same numbers each time (Park & Miller 1988). */
let state = 1
const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
const LINES = 3000
const scores = Array.from({ length: LINES }, (_, i) => {
  const { length } = knownCircuits[i % knownCircuits.length]!
  const corners = Array.from({ length: 4 + Math.floor(random() * 17) }, () =>
    corner(random() * length, random() < 0.6 ? "right" : "left", length)
  )
  return best(lineOf(length, corners))
}).toSorted((a, b) => a - b)
say(
  `\n${LINES} lines as long as a circuit, with 4 to 20 corners at random: best score of any circuit as long, ` +
    `median ${two(scores[LINES / 2]!)}, 99 % ${two(scores[(LINES * 99) / 100]!)}, most ${two(scores.at(-1)!)}`
)

const line = drivenLine(knownNamed("Spa"), 5400 / knownNamed("Spa").length)
const RUNS = 100
for (let i = 0; i < RUNS; i++) matchCircuit(line)
const before = performance.now()
for (let i = 0; i < RUNS; i++) matchCircuit(line)
say(
  `\n19 corners on 5,400 m, as long as ${rankedCircuits(line).length} of ${knownCircuits.length} circuits: ` +
    `${((performance.now() - before) / RUNS).toFixed(1)} ms`
)
