/** Loads the readable names of raw ones. Without them, raw names are shown. */
import { api } from "./api.ts"
import { readable } from "./names.ts"
import type { ReadableName } from "./types.ts"

export const takeNames = (names: ReadonlyArray<ReadableName>): void => {
  readable.value = new Map(names.map(({ name, raw }) => [raw.toLowerCase(), name]))
}

export const loadNames = (): void => void api.names().then(takeNames, () => undefined)
