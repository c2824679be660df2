/**
 * Measures subjects against each other. Runs alternate, so that a noisy machine affects all of them alike, and a ratio
 * is taken from the two figures of one round, never from medians. Every second round has the reverse order: of two builds
 * with the same ingest, measured on 25 November 2026, the one that ran second took 6 % less CPU. Prints a table and keeps
 * the rounds as JSON.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { basename, join } from "node:path"
import { median, spread } from "./figures.ts"

/** CI runs every benchmark once, at a small size: counts are checked, and figures mean nothing. */
export const smoke = process.env["BENCH_SMOKE"] === "1"
export const RUNS = smoke ? 1 : Number(process.env["RUNS"] ?? 5)
/** `full` for a measurement, `small` for CI's smoke run. */
export const scaled = (full: number, small: number): number => (smoke ? small : full)

/** The result of one run: figures by name, each with its unit (`us CPU a point`). */
export type Figures = Readonly<Record<string, number>>

export interface Subject {
  readonly name: string
  /** One run. It drains and checks its count before it returns; it throws where something was lost. */
  readonly run: () => Promise<Figures>
}

export interface Ratio {
  /** The figure that is compared. */
  readonly figure: string
  readonly of: string
  readonly to: string
  /** Our target; printed with the result, never enforced. */
  readonly goal?: { readonly least: number } | { readonly most: number }
}

export interface Comparison {
  readonly title: string
  readonly subjects: ReadonlyArray<Subject>
  readonly ratios?: ReadonlyArray<Ratio>
}

/** The JSON of one comparison: each subject's figures, round by round. */
export interface Measured {
  readonly title: string
  readonly rounds: Readonly<Record<string, ReadonlyArray<Figures>>>
  readonly ratios: ReadonlyArray<Ratio & { readonly rounds: ReadonlyArray<number> }>
}

const results = process.env["BENCH_RESULTS"] ?? join("bench", "results")
/** Named after the program that runs: `bench/ingest.ts` writes `ingest.json`. */
const resultFile = join(results, `${basename(process.argv[1]!).replace(/\.[jt]s$/, "")}.json`)

/** Earlier results, kept where only a part is measured now: `ONLY` in the environment, a part of its title. */
const measured: Array<Measured> =
  process.env["ONLY"] !== undefined && existsSync(resultFile)
    ? (JSON.parse(readFileSync(resultFile, "utf8")) as { comparisons: Array<Measured> }).comparisons
    : []

/** Whether a comparison is to be measured now. */
export const wanted = (title: string): boolean => title.includes(process.env["ONLY"] ?? "")

const digitsOf = (value: number) => (value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3)

const met = (value: number, goal: NonNullable<Ratio["goal"]>) =>
  "least" in goal ? value >= goal.least : value <= goal.most

const printTable = ({ ratios, rounds, title }: Measured) => {
  console.log(`\n${title} (${RUNS} ${RUNS === 1 ? "run" : "runs"} each, median and spread)`)
  for (const [subject, runs] of Object.entries(rounds)) {
    for (const figure of Object.keys(runs[0]!)) {
      const values = runs.map((run) => run[figure]!)
      console.log(`  ${subject.padEnd(28)} ${figure.padEnd(28)} ${spread(values, digitsOf(median(values)))}`)
    }
  }
  for (const { figure, goal, of, rounds: values, to } of ratios) {
    const value = median(values)
    const judged =
      goal === undefined
        ? ""
        : `; goal ${"least" in goal ? `at least ${goal.least}` : `at most ${goal.most}`}: ${met(value, goal) ? "met" : "missed"}`
    console.log(`  ${of} / ${to}, ${figure}: ${spread(values, 2)}${judged}`)
  }
}

const keep = (result: Measured) => {
  const before = measured.findIndex(({ title }) => title === result.title)
  measured.splice(before === -1 ? measured.length : before, before === -1 ? 0 : 1, result)
  mkdirSync(results, { recursive: true })
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version }
  writeFileSync(
    resultFile,
    `${JSON.stringify({ machine, when: new Date().toISOString(), smoke, comparisons: measured }, undefined, 1)}\n`
  )
}

/** Runs the subjects in turn, `RUNS` rounds, prints the table and adds it to the program's JSON. */
export const compare = async ({ ratios = [], subjects, title }: Comparison): Promise<Measured> => {
  const rounds: Record<string, Array<Figures>> = Object.fromEntries(subjects.map(({ name }) => [name, []]))
  for (let round = 0; round < RUNS; round++) {
    const inTurn = round % 2 === 0 ? subjects : subjects.toReversed()
    for (const { name, run } of inTurn) rounds[name]!.push(await run())
  }
  const result: Measured = {
    title,
    rounds,
    ratios: ratios.map((ratio) => ({
      ...ratio,
      rounds: rounds[ratio.of]!.map(
        (run, round) => run[ratio.figure]! / rounds[ratio.to]![round]![ratio.figure]!
      )
    }))
  }
  printTable(result)
  keep(result)
  return result
}
