import type { Alignment, LapOnGrid } from "./alignment.ts"

/** Epoch s at the first node of an aligned lap. */
export const beginsAt = ({ lap, line }: LapOnGrid, { ends }: Pick<Alignment, "ends">): number =>
  lap.startTime + (ends === "positions" ? line[0] : 0)
