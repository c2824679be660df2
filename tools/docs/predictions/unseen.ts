/** Prints the errors of predictions by source and group, with the service's constants and with those of other sessions. */
import { sources, TIMED } from "./split.ts"
import { MIN_LAPS, type Score, type Scored, scoredTwice } from "./heldOut.ts"

/** With fewer laps known, a series has just begun. */
const FEW = 7
const groupOf = ({ laps, missed, stood }: Scored["known"]): ReadonlyArray<string> => {
  if (missed === 0)
    return ["after a lap at pace", ...(laps < FEW ? ["after a lap at pace, 3 to 6 laps known"] : [])]
  const kind = stood
    ? "after standing"
    : missed < 3
      ? "after 1 or 2 laps missed"
      : "after 3 or more laps missed"
  return ["after laps not at pace", kind]
}

const groupsOf = ({ known, of: { group }, part }: Scored): ReadonlyArray<string> => {
  const session = group.replaceAll("_", " ").replace(/ \d$/, "").toLowerCase()
  return [
    part.name,
    ...groupOf(known).map((kind) => `${part.name}, ${kind}`),
    ...(part.name === TIMED
      ? [
          `timed sessions, ${session}`,
          ...(known.missed === 0 ? [`timed sessions, ${session}, after a lap at pace`] : [])
        ]
      : [])
  ]
}

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

const row = (name: string, laps: ReadonlyArray<Scored>): string => {
  const again = mean(laps.map((one) => one.again))
  const errorOf = (score: (one: Scored) => Score) => mean(laps.map((one) => score(one).error))
  const running = laps.filter(({ isRunning }) => isRunning)
  const inside = (those: ReadonlyArray<Scored>, score: (one: Scored) => Score) =>
    those.length < MIN_LAPS
      ? "-"
      : `${(100 * mean(those.map((one) => (score(one).isInside ? 1 : 0)))).toFixed(1)} %`
  const [service, heldOut] = [errorOf((one) => one.service), errorOf((one) => one.heldOut)]
  return [
    "",
    name,
    laps.length,
    again.toFixed(3),
    service.toFixed(3),
    (service / again).toFixed(3),
    (heldOut / again).toFixed(3),
    mean(laps.map((one) => one.crps)).toFixed(3),
    inside(laps, (one) => one.service),
    inside(laps, (one) => one.heldOut),
    running.length,
    inside(running, (one) => one.service),
    inside(running, (one) => one.heldOut),
    ""
  ]
    .join(" | ")
    .trim()
}

export const scoreUnseen = (say: (words: string) => void): void => {
  const laps = scoredTwice(sources())
  say("\nNext laps at pace: mean errors and CRPS in s; held out: by constants of all other sessions\n")
  say(
    "| laps | number | last lap again | service | ratio | ratio, held out | CRPS | in the interval | held out | running laps | in the interval | held out |"
  )
  say("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
  say(row("all", laps))
  const groups = new Map<string, Array<Scored>>()
  for (const lap of laps) {
    for (const group of groupsOf(lap)) {
      const those = groups.get(group) ?? []
      groups.set(group, those)
      those.push(lap)
    }
  }
  for (const [name, those] of groups) if (those.length >= MIN_LAPS) say(row(name, those))
}
