/** Writes the channels of each simulator into docs/simulators.md, out of the drivers: `npm run node tools/docs/writeSimulatorChannels.ts`. A test holds the file to it. */
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

interface Simulator {
  readonly name: string
  /** Of each version of its protocol, by what users call that. */
  readonly versions: Readonly<Record<string, ChannelMap>>
}

/** Of EA SPORTS WRC's packets the shortest, and the one with all that may follow it. */
const wrcPackets = [...eaWrc.values()]

const simulators: ReadonlyArray<Simulator> = [
  { name: "F1", versions: f1 },
  {
    name: "Forza",
    versions: {
      "Motorsport 7": forza.motorsport7,
      "Motorsport 2023": forza.motorsport,
      Horizon: forza.horizon
    }
  },
  { name: "DiRT Rally and DiRT Rally 2.0", versions: { all: dirtRally } },
  { name: "Richard Burns Rally", versions: { all: rbr } },
  { name: "Project Motor Racing", versions: { all: pmr } },
  {
    name: "Gran Turismo 7",
    versions: { "format A": gt7.A, "format B": gt7.B, "format ~": gt7["~"], "format C": gt7.C }
  },
  { name: "Assetto Corsa", versions: { all: assettoCorsa } },
  { name: "Assetto Corsa Competizione", versions: { all: acc } },
  // Every build tells the same.
  { name: "Project CARS 2 and Automobilista 2", versions: { all: projectCars2(builds[0]) } },
  {
    name: "EA SPORTS WRC",
    versions: { custom1: wrcPackets[0]!, "with all after custom1": wrcPackets.at(-1)! }
  },
  { name: "BeamNG", versions: { all: beamng } },
  {
    name: "Live for Speed",
    versions: { "without OutSim": lfs.none, OutSim: lfs.classic, "OutSim 2": lfs.full }
  }
]

const WHEEL = /_(?:fl|fr|rl|rr)$/

/** A channel as the table has it, with the versions that tell it where these are not all. */
const entriesOf = ({ versions }: Simulator, group: string): ReadonlyArray<string> => {
  const reported = new Map<string, { readonly in: Array<string>; readonly more: string }>()
  for (const [version, { declarations }] of Object.entries(versions)) {
    for (const { description = "", name, unit = "" } of declarations.find((one) => one.name === group)
      ?.channels ?? []) {
      const more = namedChannel(name) === undefined ? [unit, description].filter((text) => text !== "") : []
      const row = `\`${name.replace(WHEEL, "_*")}\``
      const known = reported.get(row) ?? { in: [], more: more.length === 0 ? "" : ` (${more.join(": ")})` }
      if (!known.in.includes(version)) known.in.push(version)
      reported.set(row, known)
    }
  }
  const all = Object.keys(versions).length
  return Array.from(reported, ([row, { in: some, more }]) =>
    some.length === all ? `${row}${more}` : `${row}${more} *${some.join(", ")}*`
  )
}

const tableOf = (simulator: Simulator) => {
  const groups = [
    ...new Set(Object.values(simulator.versions).flatMap((map) => map.declarations.map(({ name }) => name)))
  ]
  return [
    `**${simulator.name}**`,
    "",
    "| group | channels |",
    "| --- | --- |",
    ...groups.map((group) => `| ${group} | ${entriesOf(simulator, group).join(", ")} |`),
    ""
  ]
}

const BEGIN = "<!-- channels, written by tools/docs/writeSimulatorChannels.ts -->\n"
const END = "<!-- end of channels -->"

/** The page with its tables as they should be. */
export const withChannels = (page: string): string => {
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined)
    throw new Error("docs/simulators.md has no place for channels")
  return [before, BEGIN, "\n", simulators.flatMap(tableOf).join("\n"), "\n", END, after].join("")
}

if (process.argv[1]?.endsWith("writeSimulatorChannels.ts") === true) {
  const file = new URL("../../docs/simulators.md", import.meta.url)
  writeFileSync(file, withChannels(readFileSync(file, "utf8")))
}
