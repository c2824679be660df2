/**
 * Which nodes have stopped, by watching the beats of their leases.
 *
 * A node counts as stopped once its row has looked the same for its lease by this process's own monotonic clock. Clocks of two
 * machines are never compared. A read that fails says nothing of the nodes: the catalog may have been away for them, too. Nor does a
 * read after a pause: this process may have stood still, and the others with it. So the watch begins anew after either, and nobody is
 * taken over because the catalog or a whole machine was away.
 *
 * A node of which another has taken a part stays stopped: its row then has that other's process, until it comes back.
 */
import type { NodeState } from "../../store/Nodes.ts"

/** How often to look, and the longest time between two looks of one watch, ms. */
export const LOOK_EVERY_MS = 500
const MAX_PAUSE_MS = 1500

export interface Stopped {
  readonly state: NodeState
  /** When it was first seen as it is, ms. */
  readonly since: number
}

export class NodeWatch {
  /** Each node as it was seen last, and when it was first seen so, ms. */
  #seen = new Map<string, Stopped>()
  #asked = -Infinity

  /** Takes what the catalog showed; `asked`: when the read began, ms. Returns the nodes that have stopped. */
  see(states: ReadonlyArray<NodeState>, asked: number): ReadonlyArray<Stopped> {
    if (asked - this.#asked > MAX_PAUSE_MS) this.#seen.clear()
    this.#asked = asked
    this.#seen = new Map(
      states.map((state) => {
        const before = this.#seen.get(state.node)
        const isTaken =
          state.silent === null &&
          states.some(({ holder, node }) => node !== state.node && holder === state.holder)
        const isSame = before?.state.holder === state.holder && before.state.beat === state.beat
        return [
          state.node,
          { state, since: before !== undefined && (isSame || isTaken) ? before.since : asked }
        ]
      })
    )
    return [...this.#seen.values()].filter(({ since, state }) => asked - since >= state.lease * 1000)
  }

  /** To be called after a read that failed. */
  failed(): void {
    this.#seen.clear()
  }
}
