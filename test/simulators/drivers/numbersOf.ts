import type { Read } from "../../../src/simulators/packets/numbers.ts"

/** All numbers that a table reads of a structure that begins at `base`, by the sheet's names. */
export const numbersOf = (
  { read }: { readonly read: Readonly<Record<string, Read>> },
  bytes: Buffer,
  base = 0
): Record<string, number> =>
  Object.fromEntries(Object.entries(read).map(([name, one]) => [name, one(bytes, base)]))
