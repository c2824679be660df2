/** How much waits for the store, and for how long: of the service, and of the plain program that it is measured against. */

/** 262,144 points are 21 MB, a quarter of a second at a million points a second: far more than one commit takes. */
export const CAPACITY_POINTS = 262_144

/**
 * So many points make a commit worth its while at once, without waiting for its turn. Fewer cost more: each commit writes the
 * points behind a session's last full block again. With 16,384 a million points a second took a fifth more CPU, and
 * the buffers of those raw blocks had the writer's heap collected three times a second (measured, bench/ingest.ts).
 */
export const FLUSH_THRESHOLD_POINTS = 65_536

/** Between two commits at least, but where many points are held. An fsync takes milliseconds: ten a second cost a few percent of one core. */
export const GROUP_COMMIT_MS = 100

/**
 * Between two commits at most. One car at 60 Hz has few rows to commit, and what a commit costs hardly depends on them: one a second
 * instead of ten. It is what a kill or a power cut may take of such a feed.
 */
export const MAX_COMMIT_MS = 1000

/** Rows of so many values (of points: 820) are worth a commit after GROUP_COMMIT_MS: a feed of 8,000 values a second, or more. */
export const DUE_VALUES = 8192
