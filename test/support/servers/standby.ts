/** A PostgreSQL with a synchronous standby, both behind one address, as behind a proxy or a virtual IP. */
import { tmpdir } from "node:os"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import * as Box from "../processes.ts"
import { passingOn } from "./passingOn.ts"
import { clientOf, startPostgres, startStandby } from "./postgres.ts"

/** Until the scope ends. */
export const postgresWithStandby = Effect.gen(function* () {
  const primary = yield* startPostgres(tmpdir())
  const standby = yield* startStandby(tmpdir(), primary.url)
  const ofPrimary = yield* clientOf(primary.url)
  // It is killed, with this connection.
  ofPrimary.on("error", () => undefined)
  const ofStandby = yield* clientOf(standby.url)
  const asked = (statement: string) =>
    Effect.promise(() => ofPrimary.query<{ readonly sync_state: string }>(statement))
  // Only now: before, each commit would wait for it.
  yield* asked("ALTER SYSTEM SET synchronous_standby_names = '*'")
  yield* asked("SELECT pg_reload_conf()")
  yield* Box.until(
    asked("SELECT sync_state FROM pg_stat_replication"),
    ({ rows }) => rows[0]?.sync_state === "sync"
  )
  let serving = primary.url
  const passing = yield* passingOn({ port: 0, host: "127.0.0.1" }, () => {
    const { hostname, port } = new URL(serving)
    return { host: hostname, port: Number(port) }
  })
  const url = new URL(primary.url)
  url.port = String((passing.address() as AddressInfo).port)
  return {
    url: url.href,
    /** Kills the primary at once, promotes the standby, and sends clients there. */
    failOver: Effect.gen(function* () {
      yield* primary.kill
      yield* Effect.promise(() => ofStandby.query("SELECT pg_promote()"))
      serving = standby.url
    })
  }
})
