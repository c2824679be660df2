/** Seconds of the clock that all processes of a benchmark share: Linux has one CLOCK_MONOTONIC for all. */
export const monotonic = (): number => Number(process.hrtime.bigint()) / 1e9

/** A feed's timestamps are `monotonic` plus this: epoch seconds, as those of any feed. */
export const FEED_ZERO = 1_700_000_000
