/**
 * Real packets, packets of cases and of emulators, and golden bytes of every game against every recogniser: each is known by its own
 * game's driver, and by no other.
 */
import { readdirSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { needing } from "../support/needing.ts"
import { capturesHere, casesHere, goldenHere, sharedFolder } from "../support/sharedData.ts"
import { pushed } from "./cases/readers.ts"
import { bytesOf, goldenVectors } from "./drivers/interpreting.ts"

/** Games with one structure, of which the user chooses the title. */
const CODEMASTERS = "dirt-rally, dirt-rally-2"

/** The games whose drivers recognise the datagrams, each combination once. */
const knownBy = (datagrams: Iterable<Buffer>): ReadonlyArray<string> => [
  ...new Set(
    [...datagrams].map((bytes) =>
      pushed
        .filter(({ recognises }) => recognises(bytes))
        .map(({ name }) => name)
        .join(", ")
    )
  )
]

/** The datagrams of a file that the game sent. */
const datagramsOf = (file: string): ReadonlyArray<Buffer> =>
  gunzipSync(readFileSync(file))
    .toString()
    .trim()
    .split("\n")
    .map(
      (line) =>
        JSON.parse(line) as { readonly hex?: string; readonly via?: string; readonly answers?: unknown }
    )
    .filter(({ answers, hex, via }) => hex !== undefined && via !== "tcp" && answers === undefined)
    .map(({ hex }) => Buffer.from(hex!, "hex"))

const filesOf = (folder: string) =>
  readdirSync(sharedFolder(folder))
    .filter((file) => file.endsWith(".ndjson.gz"))
    .map((file) => [file, datagramsOf(`${sharedFolder(folder)}/${file}`)] as const)
    .filter(([, datagrams]) => datagrams.length > 0)

/** The game by the beginning of a file's name; the others are of games that are asked, whose packets no listener takes. */
const games: ReadonlyArray<readonly [begins: string, known: string]> = [
  ["beamng-", "beamng"],
  ["dirt-rally", CODEMASTERS],
  ["dr2-", CODEMASTERS],
  ["wrc-", "ea-wrc"],
  ["f1", "f1"],
  ["forza", "forza"],
  ["pc2-", "project-cars-2"],
  ["pmr-", "project-motor-racing"],
  ["rbr-", "richard-burns-rally"]
]
const right = (file: string): ReadonlyArray<string> => [
  games.find(([begins]) => file.startsWith(begins))?.[1] ?? ""
]

const wrong = (files: ReadonlyArray<readonly [file: string, datagrams: ReadonlyArray<Buffer>]>) =>
  files.flatMap(([file, datagrams]) => {
    const known = knownBy(datagrams)
    return JSON.stringify(known) === JSON.stringify(right(file)) ? [] : [`${file}: ${known.join(" | ")}`]
  })

describe("captures", needing(capturesHere), () => {
  it("are known by their own game", () => {
    expect(wrong(filesOf("data/captures"))).toEqual([])
  })
})

describe("cases", needing(casesHere), () => {
  it("are known by their own game", () => {
    expect(
      wrong([...filesOf("data/cases"), ...filesOf("data/cases/laps"), ...filesOf("data/field")])
    ).toEqual([])
  })
})

/** Packets of the sheets, each by its game; packets of games that are asked belong to no listener. */
const golden = [
  ["acc.json", ""],
  ["assetto-corsa.json", ""],
  ["dirt-rally2.json", CODEMASTERS],
  ["f1.json", "f1"],
  ["forza.json", "forza"],
  ["gt7.json", ""],
  ["lfs.json", ""],
  ["pc2-ams2.json", "project-cars-2"]
] as const

describe("golden bytes", needing(goldenHere), () => {
  it.each(golden)("of %s are known by no other game", (file, own) => {
    // Some vectors are not datagrams of their own.
    const known = knownBy(goldenVectors(file).map(bytesOf)).filter((names) => names !== "")
    expect(known).toEqual(own === "" ? [] : [own])
  })
})
