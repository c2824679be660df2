/** Laps of other sessions to drive against. None where the service does not answer. */
import { api } from "../api.ts"
import type { Lap, Session } from "../types.ts"

/** The lap that a user chose for this car and driver on this circuit. */
export const chosenFor = async (session: Session | undefined): Promise<ReadonlyArray<Lap>> => {
  if (session === undefined) return []
  const { circuit, driver, vehicle } = session
  const [chosen] = await api.references({ circuit, vehicle, driver }).catch(() => [])
  if (typeof chosen?.lap_id !== "number") return []
  const lap = await api.lap(chosen.lap_id).catch(() => undefined)
  return lap === undefined || lap.lap_time === null ? [] : [lap]
}

/** The best of the same car on the same circuit, for a session that has no lap yet. */
export const bestFor = async (session: Session | undefined, limit: number): Promise<ReadonlyArray<Lap>> => {
  if (session === undefined) return []
  const { circuit, vehicle } = session
  return api.bestLaps({ circuit, vehicle, limit }).catch(() => [])
}
