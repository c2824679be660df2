import { describe, expect, it } from "vitest"
import { Either } from "effect"
import { Checksum } from "../../../src/maintenance/migrate/Checksum.ts"
import { readPlace, sameCatalog, samePoints } from "../../../src/maintenance/migrate/Place.ts"
import { bar, line, shareOf } from "../../../src/maintenance/migrate/progress.ts"
import { channels } from "../../../src/domain/pointChannels.ts"
import type { PointBatch } from "../../../src/domain/RowBatch.ts"
import { part, samplePoints } from "../../contracts/samples.ts"

const place = (text: string) => Either.getOrThrow(readPlace(text))

describe("a place", () => {
  it("is a folder, or names its stores as the service's settings do", () => {
    expect(place("/a/b")).toEqual({ data: "/a/b", points: "sqlite", catalog: "sqlite" })
    const servers = place("data=/a,points=questdb://h:9000?pg=5&prefix=x_,catalog=postgres://u@h/d")
    expect(servers).toMatchObject({
      data: "/a",
      catalog: "postgres://u@h/d",
      points: { pgPort: 5, prefix: "x_" }
    })
    expect(place("points=questdb://h").data).toBe(place("./data").data)
  })

  it.each(["", "a,b", "data=", "points=mysql://h", "catalog=questdb://h", "a,data=b"])(
    "cannot be %j",
    (text) => {
      expect(Either.isLeft(readPlace(text))).toBe(true)
    }
  )

  it("is compared by its parts", () => {
    const embedded = place("/a")
    const moved = place("/a,points=questdb://h")
    expect([sameCatalog(embedded, moved), samePoints(embedded, moved)]).toEqual([true, false])
    expect(samePoints(moved, place("/b,points=questdb://h?ttl=3d"))).toBe(true)
    expect(samePoints(moved, place("/a,points=questdb://h?prefix=b_"))).toBe(false)
    expect(sameCatalog(embedded, place("/b"))).toBe(false)
  })
})

const sum = (...batches: ReadonlyArray<PointBatch>) => {
  const checksum = new Checksum(channels)
  for (const batch of batches) checksum.add(batch)
  return checksum.sum()
}

describe("a checksum", () => {
  const all = samplePoints(1.7e9, 1000)

  it("depends on the points, not on their batches", () => {
    expect(sum(all).rows).toBe(1000)
    expect(sum(part(all, 0, 1), part(all, 1, 700), part(all, 700, 1000))).toEqual(sum(all))
    expect(sum().rows).toBe(0)
  })

  it("depends on each bit of each column", () => {
    for (const channel of all.channels) {
      const changed = part(all, 0, 1000)
      const bits = new BigUint64Array(changed.data.buffer, changed.column(channel).byteOffset, 1000)
      bits[999]! ^= 1n
      expect(sum(changed).digest).not.toBe(sum(all).digest)
    }
  })

  it("distinguishes zero from minus zero", () => {
    const zero = part(all, 0, 2)
    zero.column("steering").fill(0)
    const minus = part(zero, 0, 2)
    minus.column("steering").fill(-0)
    expect(sum(minus).digest).not.toBe(sum(zero).digest)
  })
})

describe("progress", () => {
  const progress = { sessions: 4, sessionsDone: 1, rows: 2_000_000, copied: 1_000_000, verified: 500_000 }

  it("counts copying and comparing as half each", () => {
    expect(shareOf(progress)).toBe(0.375)
    expect(shareOf({ ...progress, rows: 0, copied: 0, verified: 0 })).toBe(1)
    expect(line(progress)).toBe(
      "37 %: 1,000,000 of 2,000,000 rows copied, 500,000 compared, 1 of 4 sessions done"
    )
  })

  it("is drawn over the previous drawing", () => {
    const drawn = bar(progress)
    expect(drawn.startsWith("\r[###########-------------------]  37 %  ")).toBe(true)
    expect(drawn.endsWith("\x1b[K")).toBe(true)
  })
})
