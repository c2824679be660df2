/**
 * Where the fields that we need lie in each format of EA's F1 telemetry, and how long each packet is
 * (f1-udp-2023-2026.md, sections 3 and 4). Packed, little endian.
 */

export const PacketId = {
  motion: 0,
  session: 1,
  lapData: 2,
  event: 3,
  participants: 4,
  carTelemetry: 6,
  sessionHistory: 11
} as const

export const HEADER_BYTES = 29

/** A packet's array of cars: where the first one begins in the datagram, and how many bytes each has. */
interface Cars {
  readonly at: number
  readonly size: number
}

/** Offsets are those within a car's bytes. */
export interface Layout {
  readonly format: number
  readonly cars: number
  /** Bytes of a datagram by packet id. */
  readonly sizes: ReadonlyArray<number | undefined>
  readonly motion: Cars
  readonly telemetry: Cars
  readonly lap: Cars & {
    readonly distance: number
    readonly number: number
    readonly invalid: number
    readonly driverStatus: number
    readonly resultStatus: number
  }
  readonly participant: Cars & {
    readonly team: number
    readonly wideTeam: boolean
    readonly myTeam: number
    readonly name: number
    readonly nameBytes: number
  }
}

// LapData grew by the minutes of two gaps, before the fields that we need.
const lap2023 = {
  at: HEADER_BYTES,
  size: 50,
  distance: 18,
  number: 31,
  invalid: 35,
  driverStatus: 42,
  resultStatus: 43
}
const lap2024 = {
  at: HEADER_BYTES,
  size: 57,
  distance: 20,
  number: 33,
  invalid: 37,
  driverStatus: 44,
  resultStatus: 45
}

// A byte with the number of cars stands before them.
const participant = { at: HEADER_BYTES + 1, team: 3, wideTeam: false, myTeam: 4, name: 7 }

const layouts: ReadonlyArray<Layout> = [
  {
    format: 2023,
    cars: 22,
    sizes: [1349, 644, 1131, 45, 1306, 1107, 1352, 1239, 1020, 1218, 953, 1460, 231, 217],
    motion: { at: HEADER_BYTES, size: 60 },
    telemetry: { at: HEADER_BYTES, size: 60 },
    lap: lap2023,
    participant: { ...participant, size: 58, nameBytes: 48 }
  },
  {
    format: 2024,
    cars: 22,
    sizes: [1349, 753, 1285, 45, 1350, 1133, 1352, 1239, 1020, 1306, 953, 1460, 231, 237, 101],
    motion: { at: HEADER_BYTES, size: 60 },
    telemetry: { at: HEADER_BYTES, size: 60 },
    lap: lap2024,
    participant: { ...participant, size: 60, nameBytes: 48 }
  },
  {
    format: 2025,
    cars: 22,
    sizes: [1349, 753, 1285, 45, 1284, 1133, 1352, 1239, 1042, 954, 1041, 1460, 231, 273, 101, 1131],
    motion: { at: HEADER_BYTES, size: 60 },
    telemetry: { at: HEADER_BYTES, size: 60 },
    lap: lap2024,
    participant: { ...participant, size: 57, nameBytes: 32 }
  },
  {
    format: 2026,
    cars: 24,
    sizes: [1325, 926, 1399, 45, 1470, 1233, 1448, 1445, 1134, 1062, 1133, 1460, 231, 273, 104, 1231, 269],
    motion: { at: HEADER_BYTES, size: 54 },
    telemetry: { at: HEADER_BYTES, size: 59 },
    lap: lap2024,
    participant: {
      at: HEADER_BYTES + 1,
      size: 60,
      team: 5,
      wideTeam: true,
      myTeam: 7,
      name: 10,
      nameBytes: 32
    }
  }
]

const FIRST = layouts[0]!.format

/** The formats that are read, in order. */
export const formats: ReadonlyArray<number> = layouts.map(({ format }) => format)

export const layoutOf = (format: number): Layout | undefined => layouts[format - FIRST]
