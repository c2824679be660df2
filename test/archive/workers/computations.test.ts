/** The modules that the analysis threads load. */
import { build } from "esbuild"
import { expect, it } from "vitest"
import { root } from "../../tools/sources.ts"

it("an analysis thread loads only the library for assertions, to start in some ms", async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/archive/workers/computations.ts"],
    outdir: "dist/none",
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    packages: "external"
  })
  const loaded = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  expect([...new Set(loaded)]).toEqual(["tiny-invariant"])
})
