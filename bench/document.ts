/**
 * Writes `bench/results/figures.md` from `bench/results/*.json`: tables to copy into `docs/benchmarks.md`, so that no
 * figure there is typed by hand.
 *
 *   npm run node bench/document.ts
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { benchmarks } from "./names.ts"
import type { Measured } from "./suite/comparison.ts"
import { median, spread } from "./suite/figures.ts"

interface Result {
  readonly machine: { readonly cpu?: string; readonly cores: number; readonly node: string }
  readonly when: string
  readonly smoke: boolean
  readonly comparisons: ReadonlyArray<Measured>
}

const FOLDER = join("bench", "results")

const digitsOf = (value: number) => (value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3)
const figure = (values: ReadonlyArray<number>) => spread(values, digitsOf(Math.abs(median(values))))

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const comparisonOf = ({ ratios, rounds, title }: Measured): string => {
  const subjects = Object.entries(rounds).flatMap(([subject, runs]) =>
    Object.keys(runs[0]!).map((name) => [subject, name, figure(runs.map((run) => run[name]!))])
  )
  const compared = ratios.map(({ figure: name, goal, of, rounds: values, to }) => {
    const value = median(values)
    if (goal === undefined) return [`${of} / ${to}`, name, spread(values, 2), ""]
    const wanted = "least" in goal ? `at least ${goal.least}` : `at most ${goal.most}`
    const met = "least" in goal ? value >= goal.least : value <= goal.most
    return [`${of} / ${to}`, name, spread(values, 2), `${wanted}: ${met ? "met" : "missed"}`]
  })
  return [
    `### ${title}`,
    table(["subject", "figure", "median (least to most)"], subjects),
    ...(compared.length === 0 ? [] : [table(["ratio", "figure", "median (least to most)", "goal"], compared)])
  ].join("\n\n")
}

const sectionOf = (name: string): ReadonlyArray<string> => {
  const file = join(FOLDER, `${name}.json`)
  if (!existsSync(file)) return []
  const { comparisons, machine, smoke, when } = JSON.parse(readFileSync(file, "utf8")) as Result
  if (smoke) throw new Error(`${file} is of a smoke run, which measures nothing`)
  const where = `${machine.cpu ?? "unknown CPU"}, ${machine.cores} cores, Node ${machine.node}, ${when.slice(0, 10)}`
  return [`## ${name}`, where, ...comparisons.map(comparisonOf)]
}

const sections = benchmarks.flatMap(sectionOf)
if (sections.length === 0) throw new Error("there are no results: npm run bench")
writeFileSync(join(FOLDER, "figures.md"), `${["# Figures", ...sections].join("\n\n")}\n`)
