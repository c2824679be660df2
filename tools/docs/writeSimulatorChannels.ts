/**
 * Writes the table of channels into each page of docs/simulators, from the drivers: `npm run node tools/docs/writeSimulatorChannels.ts`.
 * A test compares the pages.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { namedChannel } from "../../src/domain/vocabulary.ts"
import { channels as acc } from "../../src/simulators/drivers/acc/channels.ts"
import { channels as assettoCorsa } from "../../src/simulators/drivers/assetto-corsa/channels.ts"
import { channels as beamng } from "../../src/simulators/drivers/beamng/channels.ts"
import { channels as dirtRally } from "../../src/simulators/drivers/dirt-rally-2/channels.ts"
import { channels as eaWrc } from "../../src/simulators/drivers/ea-wrc/channels.ts"
import { channels as f1 } from "../../src/simulators/drivers/f1/channels.ts"
import { channels as forza } from "../../src/simulators/drivers/forza/channels.ts"
import { channels as gt7 } from "../../src/simulators/drivers/gt7/channels.ts"
import { channels as lfs } from "../../src/simulators/drivers/lfs/channels.ts"
import { channelsOf as projectCars2 } from "../../src/simulators/drivers/project-cars-2/channels.ts"
import { builds } from "../../src/simulators/drivers/project-cars-2/layout.ts"
import { channels as pmr } from "../../src/simulators/drivers/project-motor-racing/channels.ts"
import { channels as rbr } from "../../src/simulators/drivers/richard-burns-rally/channels.ts"
import type { ChannelMap } from "../../src/simulators/packets/ChannelMap.ts"

/** A channel map for each version of a protocol, by the version's name. */
type Versions = Readonly<Record<string, ChannelMap>>

/** The shortest packet of EA SPORTS WRC, and the longest one with all optional channels. */
const wrcPackets = [...eaWrc.values()]

/** By the page's name. */
const simulators: Readonly<Record<string, Versions>> = {
  "assetto-corsa": { all: assettoCorsa },
  acc: { all: acc },
  f1,
  "dirt-rally-2": { all: dirtRally },
  "dirt-rally": { all: dirtRally },
  "ea-wrc": { custom1: wrcPackets[0]!, "with all after custom1": wrcPackets.at(-1)! },
  lfs: { "without OutSim": lfs.none, OutSim: lfs.classic, "OutSim 2": lfs.full },
  forza: { "Motorsport 7": forza.motorsport7, "Motorsport 2023": forza.motorsport, Horizon: forza.horizon },
  gt7: { "format A": gt7.A, "format B": gt7.B, "format ~": gt7["~"], "format C": gt7.C },
  // Every build reports the same channels.
  "project-cars-2": { all: projectCars2(builds[0]) },
  beamng: { all: beamng },
  "richard-burns-rally": { all: rbr },
  "project-motor-racing": { all: pmr }
}

const WHEEL = /_(?:fl|fr|rl|rr)$/

/** The group's channels as table rows, with the versions that report a channel if not all do. */
const entriesOf = (versions: Versions, group: string): ReadonlyArray<string> => {
  const entries = new Map<string, { readonly in: Array<string>; readonly more: string }>()
  for (const [version, { declarations }] of Object.entries(versions)) {
    for (const { description = "", name, unit = "" } of declarations.find((one) => one.name === group)
      ?.channels ?? []) {
      const more = namedChannel(name) === undefined ? [unit, description].filter((text) => text !== "") : []
      const row = `\`${name.replace(WHEEL, "_*")}\``
      const known = entries.get(row) ?? { in: [], more: more.length === 0 ? "" : ` (${more.join(": ")})` }
      if (!known.in.includes(version)) known.in.push(version)
      entries.set(row, known)
    }
  }
  const all = Object.keys(versions).length
  return Array.from(entries, ([row, { in: some, more }]) =>
    some.length === all ? `${row}${more}` : `${row}${more} *${some.join(", ")}*`
  )
}

const tableOf = (versions: Versions): string => {
  const groups = new Set(
    Object.values(versions).flatMap(({ declarations }) => declarations.map(({ name }) => name))
  )
  const rows = Array.from(groups, (group) => `| ${group} | ${entriesOf(versions, group).join(", ")} |`)
  return ["| group | channels |", "| --- | --- |", ...rows].join("\n")
}

const BEGIN = "<!-- channels, written by tools/docs/writeSimulatorChannels.ts -->\n"
const END = "<!-- end of channels -->"

const withChannels = (page: string, versions: Versions): string => {
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`a page of docs/simulators has no place for channels: ${page}`)
  return `${before}${BEGIN}\n${tableOf(versions)}\n\n${END}${after}`
}

/** Each page with channels: its current and its correct text. */
export const pages = Object.entries(simulators).map(([name, versions]) => {
  const file = new URL(`../../docs/simulators/${name}.md`, import.meta.url)
  const text = readFileSync(file, "utf8")
  return { name, file, text, expected: withChannels(text, versions) }
})

if (process.argv[1]?.endsWith("writeSimulatorChannels.ts") === true) {
  for (const { expected, file } of pages) writeFileSync(file, expected)
}
