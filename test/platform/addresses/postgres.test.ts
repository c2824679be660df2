/** The address of a PostgreSQL, as users write it. */
import { Either } from "effect"
import { expect, it } from "vitest"
import { readPostgresUrl } from "../../../src/platform/addresses/postgres.ts"

it.each([
  "postgres://db/telemetry",
  "postgresql://someone:secret@db:5432/telemetry?sslmode=verify-full&sslrootcert=/etc/ca.pem",
  "postgres://db/telemetry?sslmode=disable"
])("%s is taken as it is", (text) => {
  expect(readPostgresUrl(text)).toEqual(Either.right(text))
})

it.each([
  ["postgres://db/telemetry?sslmod=verify-full", "no parameter sslmod"],
  ["postgres://db/telemetry?connect_timeout=3", "no parameter connect_timeout"],
  ["postgres://db/telemetry?sslmode=require", "an sslmode of disable, no-verify, verify-full"],
  ["mysql://db/telemetry", "of the form postgres://"]
])("%s is refused with the name of the wrong part", (text, why) => {
  expect(Either.getOrElse(Either.flip(readPostgresUrl(text)), () => "")).toContain(why)
})
