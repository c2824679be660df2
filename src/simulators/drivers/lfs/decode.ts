/** Identifies InSim packets. Each part of the driver reads a packet by its table. */
import { heard, UNIT } from "./insim.ts"

export type Heard = keyof typeof heard

const names: ReadonlyMap<number, Heard> = new Map(
  (Object.keys(heard) as ReadonlyArray<Heard>).map((name) => [heard[name].type, name])
)

/** Undefined for a type that no part of the driver reads. MCI is not among them. */
export const packetIn = (bytes: Uint8Array): Heard | undefined => names.get(bytes[1] ?? -1)

/** Why a packet cannot be read; undefined for a readable one. */
export const shortOf = (name: Heard, { length }: Buffer): string | undefined => {
  const { size } = heard[name]
  return length < size ? `an IS_${name} packet of ${length} bytes, where ${size} are expected` : undefined
}

/** Whether a packet of InSim 9 may begin with these bytes: a length and a type that fit each other. */
export const mayBeInSim = (bytes: Uint8Array): boolean => {
  if (bytes.length < 2) return true
  const name = packetIn(bytes)
  return name !== undefined && heard[name].size === bytes[0]! * UNIT
}
