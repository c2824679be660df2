/** A choice of one channel, by group. */
import type { ComponentChildren } from "preact"
import { labelOf } from "../../live/channels.ts"
import type { Channel } from "../../types.ts"
import { channelLook, choose, headOf } from "./view.ts"

export const ChannelSelect = ({
  label,
  parameter,
  value,
  channels,
  also,
  forget = {}
}: {
  label: string
  /** The parameter of the address. */
  parameter: string
  value: string
  channels: ReadonlyArray<Channel>
  /** Options before the channels. */
  also?: ComponentChildren
  /** Parameters that do not fit another channel. */
  forget?: Readonly<Record<string, undefined>>
}) => {
  const groups = [...new Set(channels.map(({ group }) => group!))]
  return (
    <label class="field">
      {label}
      <select
        value={value}
        onChange={(event) => choose({ ...forget, [parameter]: event.currentTarget.value })}
      >
        {also}
        {groups.map((group) => (
          <optgroup key={group} label={group === "points" ? "Every point" : labelOf(group)}>
            {channels
              .filter((channel) => channel.group === group)
              .map((channel) => (
                <option key={channel.name} value={channel.name}>
                  {headOf(channelLook(channel))}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}
