/** Reads a file as an import's thread does, and prints what that took: `{"values", "cpu": s, "peak": bytes}`. */
import { readFileSync } from "node:fs"
import { countRows, memoryOf } from "../../src/imports/eventsOfReader.ts"
import { readerOf } from "../../src/imports/fileReaders.ts"
import { HEAD_BYTES } from "../../src/imports/FileReader.ts"
import { withFile } from "../../src/imports/sourceFile.ts"
import { giveBack } from "../../src/imports/tables/rowMemory.ts"

const path = process.argv[2]!
const before = process.cpuUsage()
let values = 0
for await (const { events } of withFile({ path, name: path }, (file) =>
  readerOf(file.bytes(0, HEAD_BYTES), file.size).read(file, { timeZone: "UTC" })
)) {
  values += countRows(events).values
  giveBack(memoryOf(events))
}
const { system, user } = process.cpuUsage(before)
const [, peak = ""] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? []
console.log(JSON.stringify({ values, cpu: (user + system) / 1e6, peak: Number(peak) * 1024 }))
