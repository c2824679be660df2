/** Channels under the names and in the units that i2 has for them: it finds corners and sections by its own names. */
import type { ChannelDefinition } from "../../domain/Dictionary.ts"
import { namedChannel, pointDefinitions } from "../../domain/vocabulary.ts"

const units: Readonly<Record<string, string>> = { "1/min": "rpm", "°C": "C", g: "G", "N m": "Nm" }

/** Channels from 0 to 1 that i2 has in percent. */
const SHARE =
  /^(throttle|brake|clutch|handbrake|brake_bias|rain)$|_fraction$|^(tyre_wear|tyre_damage|damage)_/

const MAX_NAME = 32

export interface LdName {
  readonly name: string
  readonly unit: string
  readonly factor: number
}

/** `tyre_wear_fl`: `Tyre Wear Fl`. */
const spelled = (name: string) =>
  name
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ")

/** The name in the file that an imported channel came from, which its description begins with. */
const imported = (description: string): string | undefined => /^"([^"]+)"/.exec(description)?.[1]

export const ldName = ({ description, name, unit }: ChannelDefinition): LdName => {
  const known = pointDefinitions.find((one) => one.name === name) ?? namedChannel(name)?.channel
  const isShare = unit === "" && SHARE.test(name)
  return {
    name: (known?.aliases[0] ?? imported(description) ?? spelled(name)).slice(0, MAX_NAME),
    unit: isShare ? "%" : (units[unit] ?? unit).slice(0, 11),
    factor: isShare ? 100 : 1
  }
}
