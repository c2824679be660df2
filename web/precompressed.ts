/**
 * Writes a compressed copy of each built file for each coding that the service serves, as small as possible. Documents are not
 * compressed, because the service writes a proxy's path into them (src/api/guard/BasePath.ts).
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import type { Plugin } from "vite"

/** The service sends smaller files as they are (src/api/compress.ts). */
const MIN_BYTES = 1024

/** 11, the highest, takes 18 times as long for 9 % less. */
const BROTLI_QUALITY = 9

const codings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gz: (bytes) => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }),
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
}

export const precompressed: Plugin = {
  name: "precompressed",
  apply: "build",
  writeBundle({ dir }) {
    for (const name of readdirSync(dir!, { recursive: true, encoding: "utf8" })) {
      if (!/\.(js|css|svg)$/.test(name)) continue
      const bytes = readFileSync(join(dir!, name))
      if (bytes.length <= MIN_BYTES) continue
      for (const [ending, code] of Object.entries(codings)) {
        writeFileSync(join(dir!, `${name}.${ending}`), code(bytes))
      }
    }
  }
}
