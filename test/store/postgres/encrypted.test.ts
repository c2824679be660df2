/** The catalog over TLS, by `sslmode` and `sslrootcert` of its address, on a real server with a certificate of its own. */
import { execFileSync } from "node:child_process"
import { chownSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { folderOnPath } from "../../../tools/provision/onPath.ts"
import { Sessions } from "../../../src/store/Sessions.ts"
import * as PostgresCatalog from "../../../src/store/postgres/PostgresCatalog.ts"
import { needing } from "../../support/needing.ts"
import { clientOf, owner, postgresHere, startPostgres } from "../../support/servers/postgres.ts"
import { server } from "../../support/servers/server.ts"
import { temporaryFolder } from "../sqlite/folder.ts"

const opensslHere = server(folderOnPath("openssl") !== undefined, "there is no openssl")

const openssl = (folder: string, words: string) =>
  execFileSync("openssl", words.split(" "), { cwd: folder, stdio: "ignore" })

/** An authority, `NAME.crt`. */
const authority = (folder: string, name: string) =>
  openssl(
    folder,
    `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name} -keyout ${name}.key -out ${name}.crt`
  )

const REQUEST =
  "req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout server.key -out server.csr"
const SIGN =
  "x509 -req -in server.csr -CA ours.crt -CAkey ours.key -days 2 -copy_extensions copy -out server.crt"

/** A server whose certificate is for localhost, and of our authority. */
const encrypted = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  authority(folder, "ours")
  authority(folder, "theirs")
  openssl(folder, REQUEST)
  openssl(folder, SIGN)
  const { gid, uid } = owner()
  if (uid !== undefined && gid !== undefined)
    for (const name of [".", "server.key", "server.crt"]) chownSync(join(folder, name), uid, gid)
  const { url } = yield* startPostgres(
    tmpdir(),
    "-c",
    "ssl=on",
    "-c",
    `ssl_cert_file=${join(folder, "server.crt")}`,
    "-c",
    `ssl_key_file=${join(folder, "server.key")}`
  )
  return { folder, url }
})

/** The number of encrypted connections of a catalog at this address, or the sentence of the error. */
const opened = (url: string, plain: string) =>
  Effect.gen(function* () {
    yield* (yield* Sessions).check
    const client = yield* clientOf(plain)
    const statement = "SELECT count(*)::int AS n FROM pg_stat_ssl WHERE ssl AND pid <> pg_backend_pid()"
    const { rows } = yield* Effect.promise(() => client.query<{ readonly n: number }>(statement))
    return rows[0]!.n > 0 ? "encrypted" : "plain"
  }).pipe(
    Effect.provide(Layer.fresh(PostgresCatalog.layer(url))),
    Effect.catchTag("StoreUnavailable", ({ reason }) => Effect.succeed(reason)),
    Effect.scoped
  )

describe("a catalog over TLS", needing(postgresHere, opensslHere), () => {
  it.scopedLive("is encrypted on request, and refused if the certificate is another server's", () =>
    Effect.gen(function* () {
      const { folder, url } = yield* encrypted
      const named = url.replace("127.0.0.1", "localhost")
      const ours = `sslrootcert=${join(folder, "ours.crt")}`
      const theirs = `sslrootcert=${join(folder, "theirs.crt")}`
      expect(yield* opened(url, url)).toBe("plain")
      expect(yield* opened(`${url}?sslmode=no-verify`, url)).toBe("encrypted")
      expect(yield* opened(`${named}?sslmode=verify-full&${ours}`, url)).toBe("encrypted")
      // Without waiting, which would take a minute.
      expect(yield* opened(`${url}?sslmode=verify-full&${ours}`, url)).toMatch(/^PostgreSQL at .*altnames/)
      expect(yield* opened(`${named}?sslmode=verify-full&${theirs}`, url)).toMatch(/^PostgreSQL at .*verify/)
      expect(yield* opened(`${named}?sslmode=verify-full`, url)).toMatch(/^PostgreSQL at .*verify/)
    })
  )

  it.scopedLive(
    "is refused with a sentence if the server has no TLS, or the authority's file is missing",
    () =>
      Effect.gen(function* () {
        const { url } = yield* startPostgres(tmpdir())
        expect(yield* opened(`${url}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`, url)).toMatch(
          /^PostgreSQL at .*\/nowhere\/ca\.pem/
        )
        expect(yield* opened(`${url}?sslmode=no-verify`, url)).toMatch(
          /^PostgreSQL at .*server does not support SSL/
        )
      })
  )
})
