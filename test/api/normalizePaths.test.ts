import { expect, it } from "vitest"
import { normalized } from "../../src/api/guard/normalizePaths.ts"

it.each([
  ["/trpc/%6Cive%2Etelemetry?input=%7B%7D%6C", "/trpc/live.telemetry?input=%7B%7D%6C"],
  ["/%61pi/v1/h%65alth", "/api/v1/health"],
  // These have a meaning in a path, or are not whole characters.
  ["/drivers/A%2FB%3F%25%3B%3b", "/drivers/A%2FB%3F%25%3B%3b"],
  ["/drivers/%256C", "/drivers/%256C"],
  ["/drivers/J%C3%B6rg%zz%6", "/drivers/J%C3%B6rg%zz%6"],
  ["/plain?a=%6C", "/plain?a=%6C"],
  // Some clients write lists so. A value may have brackets.
  [
    "/compare?lap_ids[]=1&lap_ids%5B%5D=2&lap_ids%5b1%5d=3&a=b[]",
    "/compare?lap_ids=1&lap_ids=2&lap_ids=3&a=b[]"
  ],
  ["/sessions?search=x[]=1&[]&[0]=2", "/sessions?search=x[]=1&[]&[0]=2"]
])("the path %s is normalized to %s", (url, path) => expect(normalized(url)).toBe(path))
