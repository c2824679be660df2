/**
 * A time that stands for "never", such as a test's time limit: far above the slowness of any machine, however many other
 * programs share its cores. A test waits for an event; this time ends the test if the event does not come.
 */
export const NEVER_MS = 600_000

/** The same in seconds, for a program's settings; also the longest time that --connect-timeout takes. */
export const NEVER_S = NEVER_MS / 1000
