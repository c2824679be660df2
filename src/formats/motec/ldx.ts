/** The `.ldx` file beside a log: the beacons of its laps, as i2 writes them (formats.md, 4.2). */
import type { RecordedLap } from "../../domain/Lap.ts"

/** Microseconds as C writes them with `%.17e`. */
const exponential = (seconds: number): string =>
  (seconds * 1e6).toExponential(17).replace(/e([+-])(\d)$/, "e$10$2")

const clock = (seconds: number): string => {
  const millis = Math.round(seconds * 1000)
  const rest = String(millis % 60_000).padStart(5, "0")
  return `${Math.floor(millis / 60_000)}:${rest.slice(0, 2)}.${rest.slice(2)}`
}

/** Every start and end of a lap within the log, not its ends. `start`, `end`: of the log, epoch seconds. */
const beaconsOf = (laps: ReadonlyArray<RecordedLap>, start: number, end: number): ReadonlyArray<number> => {
  const times = laps.flatMap(({ endTime, startTime }) => [startTime, endTime])
  return [...new Set(times)].filter((time) => time > start && time < end).toSorted((a, b) => a - b)
}

export const ldx = (laps: ReadonlyArray<RecordedLap>, start: number, end: number): string => {
  const beacons = beaconsOf(laps, start, end)
  const timed = laps.filter(({ lapTime, valid }) => valid && lapTime !== null)
  const fastest = timed.toSorted((a, b) => a.lapTime! - b.lapTime!)[0]
  const markers = beacons.map(
    (time, n) =>
      `     <Marker Version="100" ClassName="BCN" Name="Manual.${n + 1}" Flags="77" Time="${exponential(time - start)}"/>`
  )
  const details = [
    `   <String Id="Total Laps" Value="${beacons.length + 1}"/>`,
    ...(fastest === undefined
      ? []
      : [
          `   <String Id="Fastest Time" Value="${clock(fastest.lapTime!)}"/>`,
          `   <String Id="Fastest Lap" Value="${beacons.filter((time) => time <= fastest.startTime).length}"/>`
        ])
  ]
  return [
    '<?xml version="1.0"?>',
    '<LDXFile Locale="English_United States.1252" DefaultLocale="C" Version="1.6">',
    " <Layers>",
    "  <Layer>",
    "   <MarkerBlock>",
    `    <MarkerGroup Name="Beacons" Index="${Math.max(0, beacons.length - 1)}">`,
    ...markers,
    "    </MarkerGroup>",
    "   </MarkerBlock>",
    "   <RangeBlock/>",
    "  </Layer>",
    "  <Details>",
    ...details,
    "  </Details>",
    " </Layers>",
    "</LDXFile>",
    ""
  ].join("\r\n")
}
