/** The ports on which the service listens for any game, each with what came there. */
import { counted } from "../format.ts"
import { inWords } from "../guides/guides.ts"
import type { SystemStatus } from "../types.ts"

type ListeningPort = SystemStatus["listening"][number]

const textOf = ({ advice, datagrams, state }: ListeningPort): string => {
  if (state === "connected") return "a game sends"
  if (state === "taken") return "another program has this port; the service tries again"
  if (state === "refused") return advice ?? "the system does not open this port; the service tries again"
  return `waiting, ${counted(datagrams, "datagram")} so far${advice === null ? "" : `; ${inWords(advice)}`}`
}

const looks: Readonly<Record<ListeningPort["state"], string>> = {
  connected: "gain",
  waiting: "muted",
  taken: "loss",
  refused: "loss"
}

export const ListeningPorts = ({ ports }: { ports: ReadonlyArray<ListeningPort> }) => (
  <ul class="plain small ports" aria-label="Ports for games">
    {ports.map((one) => (
      <li key={one.port}>
        UDP {one.port}: <span class={looks[one.state]}>{textOf(one)}</span>
      </li>
    ))}
  </ul>
)
