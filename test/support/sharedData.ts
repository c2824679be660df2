/** The real data that lies beside the checkout and is never copied into it. */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Need } from "./needing.ts"

const shared = fileURLToPath(new URL("../../../shared/", import.meta.url))

/** A folder of the data, such as `data/recordings`; it need not exist. */
export const sharedFolder = (name: string): string => `${shared}${name}`

const beside = (name: string): Need => ({
  missing: existsSync(sharedFolder(name)) ? undefined : `there is no ../shared/${name} beside the checkout`
})

/** Recorded sessions of real cars and simulators, with their official times: those below. */
export const recordingsHere = beside("data/recordings")

export const recordings = [
  "f1-bahrain-2026-ant",
  "ams2-road-america",
  "ac-lime-rock",
  "portland-gps"
] as const

/** Centre lines of real circuits. */
export const tracksHere = beside("data/tracks")

/** Packets of real simulators with their meaning by the protocols. */
export const goldenHere = beside("protocols/golden")

/** Packets of real games, as others recorded them. */
export const capturesHere = beside("data/captures")

/** Lap times of whole races. */
export const timingHere = beside("data/timing")

/** Lap times of many races and sessions. */
export const racesHere = beside("data/timing/races")

/** The smallest inputs that went wrong, with the right results. */
export const casesHere = beside("data/cases")

/** Files of other programs, each with what an independent reader found in it. */
export const formatsHere = beside("data/formats")
