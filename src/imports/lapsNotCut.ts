import type { LapsNotCut } from "../domain/errors.ts"

const sentences: Readonly<Record<LapsNotCut["because"], (importId: number) => string>> = {
  "no .ldx": (id) => `Only an .ldx file of MoTeC cuts the laps of import ${id} anew`,
  "no beacons": (id) => `The .ldx file has no beacons: the laps of import ${id} stay as they are`,
  "no log": (id) => `Import ${id} is not of a MoTeC log (.ld), whose laps an .ldx file has`,
  "not finished": (id) => `Import ${id} has not finished: send the .ldx file when it has`,
  "no session": (id) => `Import ${id} has no session any more`
}

/** Why an `.ldx` file did not cut the laps of an import anew. */
export const lapsNotCut = ({ because, importId }: LapsNotCut): string => sentences[because](importId)
