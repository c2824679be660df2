/** Writes docs/channels.md from the vocabulary: `npm run node tools/docs/writeChannels.ts`. A test compares the two. */
import { writeFileSync } from "node:fs"
import { type NamedChannel, pointDefinitions, vocabulary } from "../../src/domain/vocabulary.ts"

const WHEELS = ["fl", "fr", "rl", "rr"]

/** Channels of the four wheels as one row, by the name of the first. */
const rowsOf = (channels: ReadonlyArray<NamedChannel>) =>
  channels.flatMap((channel) => {
    const wheel = WHEELS.find((end) => channel.name.endsWith(`_${end}`))
    if (wheel === undefined) return [{ ...channel, name: `\`${channel.name}\`` }]
    return wheel === "fl" ? [{ ...channel, name: `\`${channel.name.slice(0, -2)}*\`` }] : []
  })

const table = (channels: ReadonlyArray<NamedChannel>) => [
  "| channel | unit | kind | | elsewhere |",
  "| --- | --- | --- | --- | --- |",
  ...rowsOf(channels).map(
    ({ aliases, description, kind, name, unit }) =>
      `| ${name} | ${unit} | ${kind} | ${description} | ${aliases.join(", ")} |`
  )
]

export const channelsPage = [
  "# Channels",
  "",
  "The vocabulary of channels, by group. A group's channels are sampled together, with one time. A name has the same unit, kind and",
  "group for all simulators. A channel that a simulator does not report is absent, never 0. `*` stands for the wheels `fl`, `fr`, `rl`, `rr`.",
  "`GET /api/v1/{session_id}/channels` lists the channels of a session, with further ones under the simulator's own names.",
  "If a simulator does not report `lap_distance`, the service computes it from positions or speed (`derived`).",
  "",
  "Sideways, right is positive. Kinds: `continuous` may be resampled linearly, `angle` (degrees that wrap at 360) along the shorter arc;",
  "`step` holds until it changes; `flag` is 0 or 1. *Elsewhere* has the names in MoTeC i2 and iRacing, whose units may differ. This page",
  "is made from `src/domain/vocabulary.ts`.",
  "",
  "## points",
  "",
  "Every session has these, as far as its simulator reports them.",
  "",
  ...table(pointDefinitions),
  ...vocabulary.flatMap(({ channels, name }) => ["", `## ${name}`, "", ...table(channels)]),
  ""
].join("\n")

if (process.argv[1]?.endsWith("writeChannels.ts") === true) {
  writeFileSync(new URL("../../docs/channels.md", import.meta.url), channelsPage)
}
