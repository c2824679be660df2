/** A clock of a process's own, by libfaketime: the machine's stays. */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Need } from "../needing.ts"

const library = ["x86_64", "aarch64"]
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file))

export const faketimeHere: Need = {
  missing: library === undefined ? "there is no libfaketime (Debian: faketime)" : undefined
}

/** The environment of a process whose clock is ahead of the machine's by the content of the file `clock` in the folder, such as `+3600`. */
export const ownClock = (folder: string) => {
  const clock = join(folder, "offset")
  writeFileSync(clock, "+0")
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1"
  }
  return { clock, env }
}
