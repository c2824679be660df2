/**
 * How much may wait for the store, and for how long: in the service, and in the plain program with which it is
 * compared.
 */

/** 262,144 points are 21 MB, a quarter of a second at a million points a second: far more than one commit takes. */
export const CAPACITY_POINTS = 262_144

/**
 * This many points are committed immediately, without waiting for the next commit's time. Fewer would cost more: each
 * commit writes the points after a session's last full block again. With 16,384, a million points a second took a fifth
 * more CPU, and the buffers of those raw blocks made the writer's heap be collected three times a second (measured,
 * bench/ingest.ts).
 */
export const FLUSH_THRESHOLD_POINTS = 65_536

/**
 * The minimum time between two commits, unless many points are held. An fsync takes milliseconds: ten a second cost a few
 * percent of one core.
 */
export const GROUP_COMMIT_MS = 100

/**
 * The maximum time between two commits. One car at 60 Hz has few rows to commit, and the cost of a commit hardly
 * depends on their number. So there is one commit a second instead of ten. A kill or a power cut may lose this much of
 * such a feed.
 */
export const MAX_COMMIT_MS = 1000

/** Rows with this many values (820 points) are committed after GROUP_COMMIT_MS: a feed of 8,000 values a second, or more. */
export const DUE_VALUES = 8192
