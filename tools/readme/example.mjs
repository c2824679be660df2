/** What examples/client.ts prints, as README has it. */

/** What the example prints, by the kinds of its lines. */
const KINDS = [
  /^\w+ to [\w-]+ at [\d.]+:\d+$/,
  /^\d+\. .+, .+: [\d.]+ s$/,
  /^Newest of \d+: .+, .+; laps so far: \d+$/,
  /^-?\d+ km\/h in gear -?\d+$/,
  /^Lap \d+: [\d.]+ s$/,
  /^…$/
]

/**
 * The kinds of lines that a text has; -1 for one that is of none.
 * @param {string} text
 */
export const kindsOf = (text) =>
  new Set(
    text
      .trim()
      .split("\n")
      .map((line) => KINDS.findIndex((kind) => kind.test(line)))
  )

/** Lines of the same kind that README shows of the example. */
const SHOWN = 2

/**
 * The example's output, short enough to be read.
 * @param {string} output
 */
export const abridged = (output) => {
  const lines = output.trim().split("\n")
  const speeds = lines.filter((line) => / km\/h /.test(line))
  const others = lines.filter((line) => !speeds.includes(line))
  return [...others, ...speeds.slice(0, SHOWN), "…"].join("\n")
}
