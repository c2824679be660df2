/** The progress of a migration, as one line of text. */

export interface Progress {
  readonly sessions: number
  readonly sessionsDone: number
  /** Points and samples of all sessions, and those copied so far; each is then read on both sides once more. */
  readonly rows: number
  readonly copied: number
  readonly verified: number
}

const BAR = 30

const number = (count: number): string => count.toLocaleString("en-US")

/** 0..1: copying is half of the work, comparing the other. */
export const shareOf = ({ copied, rows, verified }: Progress): number =>
  rows === 0 ? 1 : Math.min(1, (copied + verified) / (2 * rows))

const percent = (progress: Progress): string => `${Math.floor(shareOf(progress) * 100)} %`

const counts = ({ copied, rows, sessions, sessionsDone, verified }: Progress): string =>
  `${number(copied)} of ${number(rows)} rows copied, ${number(verified)} compared, ${sessionsDone} of ${sessions} sessions done`

/** The progress for a terminal, where each line overwrites the last. */
export const bar = (progress: Progress): string => {
  const full = Math.floor(shareOf(progress) * BAR)
  const drawn = `${"#".repeat(full)}${"-".repeat(BAR - full)}`
  return `\r[${drawn}] ${percent(progress).padStart(5)}  ${counts(progress)}\x1b[K`
}

/** The progress for a log. */
export const line = (progress: Progress): string => `${percent(progress)}: ${counts(progress)}`
