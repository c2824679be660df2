/**
 * A time that stands for "never", as where a test is given up: far above the slowness of any machine, however many other
 * programs its cores are shared with. What a test waits for is an event; this ends it where the event does not come.
 */
export const NEVER_MS = 600_000

/** The same in seconds, for a program's settings; also the longest time that --connect-timeout takes. */
export const NEVER_S = NEVER_MS / 1000
