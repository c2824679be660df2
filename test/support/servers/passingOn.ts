import { once } from "node:events"
import type { ListenOptions, NetConnectOpts } from "node:net"
import { Effect } from "effect"
import { passOn } from "./passOn.ts"

/** Passes connections on in this process, until the scope ends. `passOn.ts` is a program that starts without Effect. */
export const passingOn = (from: ListenOptions, to: () => NetConnectOpts) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const passing = passOn(from, to)
      await once(passing, "listening")
      return passing
    }),
    (passing) => Effect.sync(() => passing.close())
  )
