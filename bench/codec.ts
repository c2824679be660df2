/**
 * The size on disk of the bundled simulator's groups, and the cost of packing and unpacking them: in the service's
 * forms, and the plain way, a Float64Array through Node's compressors.
 *
 *   npm run bench -- codec        (SECONDS, RUNS by environment)
 */
import { brotliCompressSync, brotliDecompressSync, constants, deflateSync, inflateSync } from "node:zlib"
import { BLOCK_ROWS } from "../src/store/sqlite/blockCodec.ts"
import { packColumn, unpackColumn } from "../src/store/sqlite/columnCodec.ts"
import { driveGroups, samplesOf } from "../simulator/model/channelGroups.ts"
import { circuitNamed } from "../simulator/model/Circuit.ts"
import { DrivenCar } from "../simulator/model/DrivenCar.ts"
import { SimulatedDrive } from "../simulator/model/SimulatedDrive.ts"
import { vehicles } from "../simulator/model/vehicles.ts"
import { compare, scaled, type Subject } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"

const SECONDS = setting("SECONDS", scaled(900, 90))
/** A session's timestamps are seconds since the epoch. */
const START = 1_763_800_000.125

/** Columns of blocks, as they occur in a session. */
const columns = (): ReadonlyArray<Float64Array> => {
  const options = { circuit: circuitNamed("Hollin Moor")!, vehicle: vehicles[0]!, seed: 1 }
  const car = new DrivenCar(new SimulatedDrive(options))
  return driveGroups.flatMap((group) => {
    const { data, length } = samplesOf(car, group, 0, SECONDS * group.rate)
    return Array.from({ length: 1 + group.channels.length }, (_, c) => {
      const column = data.slice(c * length, (c + 1) * length)
      return c === 0 ? column.map((time) => time + START) : column
    }).flatMap((column) =>
      Array.from({ length: Math.ceil(length / BLOCK_ROWS) }, (_, block) =>
        column.slice(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS)
      )
    )
  })
}

const all = columns()
const values = all.reduce((sum, column) => sum + column.length, 0)

const bytesOf = (column: Float64Array) => new Uint8Array(column.buffer, column.byteOffset, column.byteLength)

const nanoseconds = ({ system, user }: NodeJS.CpuUsage) => (system + user) * 1000

const subject = (
  name: string,
  packOne: (column: Float64Array) => Uint8Array,
  unpackOne: (packed: Uint8Array, into: Float64Array) => void
): Subject => ({
  name,
  run: async () => {
    const before = process.cpuUsage()
    const packed = all.map(packOne)
    const packing = nanoseconds(process.cpuUsage(before))
    const between = process.cpuUsage()
    const unpacked = packed.map((bytes, index) => {
      const into = new Float64Array(all[index]!.length)
      unpackOne(bytes, into)
      return into
    })
    const unpacking = nanoseconds(process.cpuUsage(between))
    for (const [index, column] of all.entries())
      if (Buffer.compare(bytesOf(column), bytesOf(unpacked[index]!)) !== 0)
        throw new Error(`${name}: column ${index} came back as another`)
    return {
      "bytes a value": packed.reduce((sum, { length }) => sum + length, 0) / values,
      "ns CPU a value to pack": packing / values,
      "ns CPU a value to unpack": unpacking / values
    }
  }
})

const plain = (
  name: string,
  compress: (bytes: Uint8Array) => Buffer,
  decompress: (bytes: Uint8Array) => Buffer
) =>
  subject(
    name,
    (column) => compress(bytesOf(column)),
    (packed, into) => bytesOf(into).set(decompress(packed))
  )

const brotli = (quality: number) => (bytes: Uint8Array) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  })

const SERVICE = "service, quick"
const THOROUGH = "service, thorough"
const ZLIB = "Float64Array, zlib"

await compare({
  title: `${all.length} columns of the bundled simulator's groups, ${SECONDS} s`,
  subjects: [
    subject(SERVICE, (column) => packColumn(column, "quick"), unpackColumn),
    subject(THOROUGH, (column) => packColumn(column, "thorough"), unpackColumn),
    plain(ZLIB, (bytes) => deflateSync(bytes), inflateSync),
    plain("Float64Array, brotli 1", brotli(1), brotliDecompressSync),
    plain("Float64Array, brotli 4", brotli(4), brotliDecompressSync)
  ],
  ratios: [
    { figure: "bytes a value", of: SERVICE, to: ZLIB },
    { figure: "ns CPU a value to pack", of: SERVICE, to: ZLIB },
    { figure: "ns CPU a value to unpack", of: SERVICE, to: ZLIB },
    { figure: "bytes a value", of: THOROUGH, to: SERVICE }
  ]
})
