/**
 * Faults that a lap's points show by themselves, without a line or another lap: values that stand still while the car
 * drives, positions that jump away and back, impossible speeds.
 */
import type { PointBatch } from "../../domain/RowBatch.ts"
import { displaced } from "./displaced.ts"
import { frozenPositions, frozenSpeed } from "./frozen.ts"
import { impossibleSpeeds } from "./impossibleSpeeds.ts"
import { type Sources, unjudged } from "./sources.ts"
import { noiseOf } from "./steps.ts"

/** `points`: without single ones that jump away and back (believable.ts). */
export const sourcesOf = (points: PointBatch): Sources => {
  const sources = unjudged(points)
  if (points.length < 3) return sources
  if (sources.hasPositions) frozenPositions(sources)
  if (sources.hasSpeed) impossibleSpeeds(sources)
  const noise = noiseOf(sources)
  if (sources.hasPositions) displaced(sources, noise)
  if (sources.hasSpeed) frozenSpeed(sources, noise)
  sources.faults.sort((a, b) => a.from - b.from || a.to - b.to)
  return sources
}
