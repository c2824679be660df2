import { expect, it } from "vitest"
import { normalized } from "../../src/http/normalizePaths.ts"

it.each([
  ["/trpc/%6Cive%2Etelemetry?input=%7B%7D%6C", "/trpc/live.telemetry?input=%7B%7D%6C"],
  ["/%61pi/v1/h%65alth", "/api/v1/health"],
  // What means something in a path, and what is no character of its own.
  ["/drivers/A%2FB%3F%25%3B%3b", "/drivers/A%2FB%3F%25%3B%3b"],
  ["/drivers/%256C", "/drivers/%256C"],
  ["/drivers/J%C3%B6rg%zz%6", "/drivers/J%C3%B6rg%zz%6"],
  ["/plain?a=%6C", "/plain?a=%6C"]
])("%s is %s", (url, path) => expect(normalized(url)).toBe(path))
