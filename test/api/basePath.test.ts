/** Base paths below which a proxy serves the service: how they are configured, and how requests carry them. */
import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import { readBase } from "../../src/platform/addresses/base.ts"
import { withBase, withoutBase } from "../../src/api/guard/BasePath.ts"

const off = (url: string) => withoutBase("/telemetry/", url)

describe("a base path", () => {
  it("is valid with its slashes or without, and in no other form", () => {
    for (const given of ["/telemetry/", "telemetry", "/telemetry", "telemetry/"])
      expect(readBase(given)).toEqual(Either.right("/telemetry/"))
    expect(readBase("/")).toEqual(Either.right("/"))
    expect(readBase("/a/b-1.2/")).toEqual(Either.right("/a/b-1.2/"))
    for (const bad of ["//evil.example/", "/a//b/", "/a?b/", '/"onload=/', "/../", "http://host/a/", "/a b/"])
      expect(Either.isLeft(readBase(bad))).toBe(true)
  })

  it("is removed once and only as a whole; alone it is the first page", () => {
    expect(off("/telemetry/api/v1/health?x=/telemetry/")).toBe("/api/v1/health?x=/telemetry/")
    expect(off("/telemetry/telemetry/")).toBe("/telemetry/")
    expect(off("/telemetry/range")).toBe("/range")
    expect([off("/telemetry"), off("/telemetry?a=1"), off("/telemetry/")]).toEqual(["/", "/?a=1", "/"])
    expect([off("/telemetryx"), off("/api/v1/health")]).toEqual(["/telemetryx", "/api/v1/health"])
    expect(withoutBase("/", "/telemetry/a")).toBe("/telemetry/a")
  })

  it("is put before each address of a document; an empty base changes nothing", () => {
    const html =
      '<html lang="en"><a href="/docs"></a><script src="/assets/a.js"></script><a href="https://x/"></a>'
    expect(withBase("/", html)).toBe(html)
    expect(withBase("/t/", html)).toBe(
      '<html data-base="/t/" lang="en"><a href="/t/docs"></a><script src="/t/assets/a.js"></script><a href="https://x/"></a>'
    )
  })
})
