/** Bytes of other fields, read as a float, are mostly far less than anything that is measured. */
const LEAST = 1e-12

/** Whether a field of a packet can have this value. That distinguishes games whose packets have no mark. */
export const isWithin = (value: number, least: number, most: number): boolean =>
  value >= least && value <= most && (value === 0 || Math.abs(value) >= LEAST)
