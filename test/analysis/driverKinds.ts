/** Kinds of short faults as somebody would make them who tests such a program: revolutions, wheels that lock, missed gears. */
import type { LapData } from "../../src/analysis/place/alignment.ts"
import type { Channel } from "../../src/domain/pointChannels.ts"
import { lowerBound, RowBatch } from "../../src/domain/RowBatch.ts"
import { always, between, gains, type Kind, valuesIn } from "./faultKinds.ts"
import { changed, inNeutral, lockedWheel, retimed, type Span } from "./faults.ts"

/** The first `count` points of the span, in one channel. */
const firstPoints = (lap: LapData, span: Span, channel: Channel, count: number, factor: number): LapData =>
  changed(lap, span, channel, (value, i) => (i < count ? value * factor : value))

const revolutions = (name: string, count: number, factor: number): Kind => ({
  name: `revolutions 20 % too ${name}`,
  types: ["implausible_value", "contradiction"],
  channels: ["rpm"],
  needs: ["rpm"],
  lasts: [2, 2],
  shows: always,
  put: (lap, span) => firstPoints(lap, span, "rpm", count, factor)
})

/** Single points whose revolutions are wrong. */
export const revolutionKinds: ReadonlyArray<Kind> = [
  revolutions("high at one point", 1, 1.2),
  revolutions("high at two points", 2, 1.2),
  revolutions("high at three points", 3, 1.2),
  revolutions("low at one point", 1, 0.8),
  revolutions("low at two points", 2, 0.8)
]

const throughout = (lap: LapData, span: Span, channel: Channel, fits: (value: number) => boolean) =>
  valuesIn(lap, span, channel).every(fits)
const brakes = (lap: LapData, span: Span) => {
  const speeds = valuesIn(lap, span, "speed")
  return (speeds[0]! - speeds.at(-1)!) / 3.6 / (span[1] - span[0]) > 4
}
const onThrottle = (lap: LapData, span: Span) => throughout(lap, span, "throttle", (value) => value > 0.6)

/**
 * The driver brakes harder and locks wheels: the pedal goes `more` further down, the car slows by `less` less, and takes
 * the corner wide, a tenth slower.
 */
const lockedBrakes = (original: LapData, span: Span, more: number, less: number): LapData => {
  const t = original.points.timestamps.map((time) => time - original.lap.startTime)
  const speed = original.points.column("speed")
  const at = (time: number) => speed[Math.min(lowerBound(t, time), t.length - 1)]!
  const entry = at(span[0])
  const excess = less * Math.max(0, entry - at(span[1]))
  const factor = (time: number, own: number): number => {
    if (time < span[0] || own <= 0) return 1
    if (time <= span[1]) return (own + less * Math.max(0, entry - own)) / own
    const since = time - span[1]
    if (since < 0.7) return (own + excess * (1 - since / 0.7)) / own
    const wide = since < 1 ? (since - 0.7) / 0.3 : since < 2.5 ? 1 : Math.max(0, 1 - (since - 2.5) / 0.7)
    return 1 - 0.14 * wide
  }
  const late = retimed(original, factor)
  const from = lowerBound(original.points.timestamps, original.lap.startTime + span[0])
  const to = lowerBound(original.points.timestamps, original.lap.startTime + span[1])
  const brake = late.points.column("brake")
  for (let i = from; i < to; i++) brake[i] = Math.min(1, brake[i]! + more)
  return late
}

/** The wheel's own channel in the span, as a share of what it was. */
const slowedWheel = (original: LapData, span: Span, share: number, wheel: number): LapData => {
  const own = original.around!.map((samples) => {
    const names = samples.batch.channels.filter((name) => name.startsWith("wheel_"))
    if (names.length === 0) return samples
    const { channels, data, length } = samples.batch
    const batch: RowBatch = new RowBatch(length, data.slice(), channels)
    const column = batch.column(names[wheel]!)
    batch.timestamps.forEach((time, i) => {
      const since = time - original.lap.startTime
      if (since >= span[0] && since < span[1]) column[i] = column[i]! * share
    })
    return { ...samples, batch }
  })
  return { ...original, around: own }
}

const ofSpeedSensor: Kind = {
  name: "speed measured at a wheel that locks in a braking",
  types: ["implausible_value", "lock_up_or_spin", "contradiction", "frozen_channel"],
  channels: ["speed", "rpm"],
  needs: ["speed"],
  lasts: [0.2, 1.5],
  // A slow feed may have no point in it.
  shows: (lap, [from, to]) =>
    brakes(lap, [from, to]) && valuesIn(lap, [from + 0.1, to - 0.1], "speed").length > 1,
  put: (lap, span, next) => lockedWheel(lap, span, between(next, 0.2, 0.7))
}

const byPedal: Kind = {
  name: "wheels locked by the pedal, and the corner taken wide",
  types: ["lock_up_or_spin"],
  channels: ["brake", "speed"],
  needs: ["speed", "brake"],
  lasts: [0.3, 1],
  shows: (lap, span) =>
    brakes(lap, [span[0], span[1]]) && throughout(lap, span, "brake", (value) => value > 0.3 && value < 0.85),
  put: (lap, span, next) => lockedBrakes(lap, span, between(next, 0.15, 0.3), between(next, 0.2, 0.4))
}

export const lockedKinds: ReadonlyArray<Kind> = [ofSpeedSensor, byPedal]

/** For sessions whose laps have wheels. */
export const wheelKind: Kind = {
  name: "one wheel at 0 to 50 % of its speed",
  types: ["lock_up_or_spin"],
  channels: ["fl", "fr", "rl", "rr"].flatMap((wheel) => [`wheel_speed_${wheel}`, `wheel_rotation_${wheel}`]),
  needs: ["speed"],
  lasts: [0.15, 0.8],
  shows: always,
  put: (lap, span, next) => slowedWheel(lap, span, between(next, 0, 0.5), Math.floor(4 * next()))
}

/** The car gains no speed in the span, and loses by drag as much as it does in a second at half a metre per second squared. */
const coasting = (original: LapData, span: Span): LapData => {
  const t = original.points.timestamps.map((time) => time - original.lap.startTime)
  const speed = original.points.column("speed")
  const at = (time: number) => speed[Math.min(lowerBound(t, time), t.length - 1)]!
  const entry = at(span[0])
  const lacking = (time: number, own: number) => Math.max(0, own - entry + 1.8 * (time - span[0]))
  const [end, whole] = [span[1], lacking(span[1], at(span[1]))]
  return retimed(original, (time, own) => {
    if (time < span[0] || own <= 0) return 1
    const short = time <= end ? lacking(time, own) : whole * Math.max(0, 1 - (time - end) / 4)
    return Math.max(0.5, 1 - short / own)
  })
}

/** The points that lay in the span before the lap was changed in its times. */
const inSpan = (
  original: LapData,
  copy: LapData,
  span: Span,
  channel: Channel,
  change: (value: number, i: number) => number
): LapData => {
  const t = original.points.timestamps
  const [from, to] = span.map((at) => lowerBound(t, original.lap.startTime + at)) as [number, number]
  const column = copy.points.column(channel)
  for (let i = from; i < to; i++) column[i] = change(column[i]!, i)
  return copy
}

/** Revolutions per km/h of each gear of a lap. */
const ratioOf = ({ points }: LapData, gear: number): number => {
  const [gears, rpm, speed] = [points.column("gear"), points.column("rpm"), points.column("speed")]
  const values = [...gears.keys()]
    .filter((i) => gears[i] === gear && speed[i]! > 50 && rpm[i]! > 0)
    .map((i) => rpm[i]! / speed[i]!)
    .sort((a, b) => a - b)
  return values.length < 5 ? Number.NaN : values[values.length >> 1]!
}

const raced = (lap: LapData, span: Span, more: number): LapData => {
  const rpm = lap.points.column("rpm")
  return inSpan(lap, coasting(lap, span), span, "rpm", (_, i) => rpm[i]! * more)
}

/** The gear reached by a step of so many gears, and its revolutions. */
const wrongGear = (lap: LapData, span: Span, step: number): LapData => {
  const gears = lap.points.column("gear")
  const taken = (i: number) => gears[i]! + step
  const wrong = changed(lap, span, "gear", (value) => value + step)
  return inSpan(lap, wrong, span, "rpm", (rpm, i) => (rpm * ratioOf(lap, taken(i))) / ratioOf(lap, gears[i]!))
}
const fitsGear = (step: number) => (lap: LapData, span: Span) => {
  const gears = valuesIn(lap, span, "gear")
  return gears.every((gear) => gear > 0 && ratioOf(lap, gear) > 0 && ratioOf(lap, gear + step) > 0)
}

/** The time of the first upshift in the span that a second of full throttle follows, since the lap began. */
const upshiftIn = ({ lap, points }: LapData, [from, to]: Span): number | undefined => {
  const t = points.timestamps
  const [gear, throttle] = [points.column("gear"), points.column("throttle")]
  for (let i = lowerBound(t, lap.startTime + from); i < lowerBound(t, lap.startTime + to); i++) {
    if (!(i > 0 && gear[i - 1]! > 0 && gear[i]! > gear[i - 1]! && throttle[i - 1]! > 0.6)) continue
    const at = t[i]! - lap.startTime
    if (onThrottle({ lap, points }, [at, at + 1.2])) return at
  }
  return undefined
}

const missed = (name: string, lasts: Span, shows: Kind["shows"], put: Kind["put"]): Kind => ({
  name,
  types: ["missed_gear", "contradiction", "implausible_value"],
  channels: ["gear", "rpm"],
  needs: ["gear", "rpm", "throttle"],
  lasts,
  shows,
  put
})

/** Around an upshift: no gear, off the throttle or on it. */
const slowShift =
  (pedal: number): Kind["put"] =>
  (lap, span, next) => {
    const at = upshiftIn(lap, span)!
    const own: Span = [at, at + between(next, 0.5, 1)]
    const copy = inSpan(lap, coasting(lap, own), own, "gear", () => 0)
    return inSpan(lap, copy, own, "throttle", () => pedal)
  }

/** The wanted gear is reported, and the engine turns as in the one before, and faster. */
const shownGear: Kind["put"] = (lap, span, next) => {
  const at = upshiftIn(lap, span)!
  const own: Span = [at, at + between(next, 0.35, 1)]
  const i = lowerBound(lap.points.timestamps, lap.lap.startTime + at)
  const [gears, rpm] = [lap.points.column("gear"), lap.points.column("rpm")]
  const more = between(next, 1, 1.15) * (ratioOf(lap, gears[i - 1]!) / ratioOf(lap, gears[i]!))
  return inSpan(lap, coasting(lap, own), own, "rpm", (_, k) => rpm[k]! * more)
}

const hasUpshift = (lap: LapData, span: Span): boolean => upshiftIn(lap, span) !== undefined

export const gearKinds: ReadonlyArray<Kind> = [
  missed("an upshift into no gear that is reported as done", [3, 5], hasUpshift, shownGear),
  missed("no gear on the throttle, briefly", [0.3, 1], onThrottle, inNeutral),
  missed(
    "the engine races 15 to 60 % in the reported gear",
    [0.3, 1],
    (lap, span) => onThrottle(lap, span) && gains(lap, [span[0], span[1] + 0.3]).every((gain) => gain > 0),
    (lap, span, next) => raced(lap, span, between(next, 1.15, 1.6))
  ),
  missed("a gear two too low", [0.5, 1.5], fitsGear(-2), (lap, span) => wrongGear(lap, span, -2)),
  missed("a gear two too high", [0.5, 1.5], fitsGear(2), (lap, span) => wrongGear(lap, span, 2)),
  missed("an upshift 0.5 to 1 s too long, off the throttle", [2, 4], hasUpshift, slowShift(0)),
  missed("an upshift 0.5 to 1 s too long, on the throttle", [2, 4], hasUpshift, slowShift(0.9))
]

export const shortKinds: ReadonlyArray<Kind> = [...revolutionKinds, ...lockedKinds, ...gearKinds]
