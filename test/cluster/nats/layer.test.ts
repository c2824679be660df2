/** The relay as a service has it: credentials come from a file, and nodes of the same catalog hear each other. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { BusRefused } from "../../../src/cluster/nats/Bus.ts"
import { layer } from "../../../src/cluster/nats/layer.ts"
import { Relay } from "../../../src/cluster/Relay.ts"
import { ThisNode } from "../../../src/store/ThisNode.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { needing } from "../../support/needing.ts"
import { nats, natsHere } from "../../support/servers/nats.ts"
import { temporaryFolder } from "../../store/sqlite/folder.ts"

const relayOf = Effect.fnUntraced(function* (
  node: string,
  folder: string,
  url: string,
  credentials: string | undefined
) {
  const built = yield* Layer.build(
    Layer.fresh(layer({ servers: [url], cluster: "main", credentials })).pipe(
      Layer.provide(SqliteStore.catalogLayer(folder)),
      Layer.provide(Layer.succeed(ThisNode, node))
    )
  )
  return Context.get(built, Relay)
})

const untilTrue = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.delay(untilTrue(holds), "10 millis")))

describe("the relay of a service", needing(natsHere), () => {
  it.scopedLive("reads its token from a file, and is refused without one that it can read", () =>
    Effect.gen(function* () {
      const { url } = yield* nats('authorization { token: "secret-of-the-cluster" }\n')
      const folder = yield* temporaryFolder
      const file = join(folder, "token")
      const missing = yield* Effect.flip(relayOf("a", folder, url, file))
      expect(missing).toBeInstanceOf(BusRefused)
      expect(String((missing as BusRefused).reason)).toMatch(/^its credentials cannot be read: .*ENOENT/)
      // As an editor leaves it.
      writeFileSync(file, "secret-of-the-cluster\n")
      expect((yield* relayOf("a", folder, url, file)).isUp?.()).toBe(true)
    })
  )

  it.scopedLive("hears the nodes of its catalog, and none of another that has the same name", () =>
    Effect.gen(function* () {
      const { url } = yield* nats()
      const [shared, other] = [yield* temporaryFolder, yield* temporaryFolder]
      const relays = [
        yield* relayOf("a", shared, url, undefined),
        yield* relayOf("b", shared, url, undefined),
        yield* relayOf("c", other, url, undefined)
      ] as const
      const heard: Array<string> = []
      for (const [n, relay] of relays.entries()) {
        yield* relay.subscribe((update) => {
          if (update.type === "rate") heard.push(`${n} ${update.hz}`)
        })
      }
      relays[2].publish({ type: "rate", hz: 1 })
      for (const hz of [2, 3]) {
        relays[0].publish({ type: "rate", hz })
        yield* untilTrue(() => heard.includes(`1 ${hz}`))
      }
      expect(heard).toEqual(["2 1", "0 2", "1 2", "0 3", "1 3"])
    })
  )
})
