/**
 * OutGauge: the dashboard of the car that is driven, as Live for Speed and BeamNG.drive send it (sheet
 * lfs-insim-outgauge-outsim, section 4). Little endian, 92 bytes, 96 with an id; a third party's additions may follow.
 */

/** Bytes without and with the id. */
export const OUT_GAUGE_BYTES = 92
export const OUT_GAUGE_WITH_ID_BYTES = 96

/** As on the wire. */
export interface OutGauge {
  /** ms; BeamNG always says 0. */
  readonly time: number
  /** The car's code of up to four characters; BeamNG always says "beam". */
  readonly car: string
  /** 8192 turbo, 16384 km, 32768 bar. */
  readonly flags: number
  /** 0 reverse, 1 neutral, 2 first. */
  readonly gear: number
  /** Of the player; 0 for none. */
  readonly plid: number
  /** m/s. */
  readonly speed: number
  readonly rpm: number
  /** bar. */
  readonly turbo: number
  /** Degrees C. */
  readonly engineTemperature: number
  /** 0..1. */
  readonly fuel: number
  /** bar. */
  readonly oilPressure: number
  /** Degrees C. */
  readonly oilTemperature: number
  /** Bits of the lights that the car has, and of those that are lit. */
  readonly dashLights: number
  readonly showLights: number
  /** 0..1. */
  readonly throttle: number
  readonly brake: number
  readonly clutch: number
  readonly display1: string
  readonly display2: string
  /** Where one is configured in the simulator. */
  readonly id: number | undefined
}

const DISPLAY_BYTES = 16

/** Text up to the first zero. */
const textOf = (bytes: Buffer, from: number, length: number): string => {
  const zero = bytes.indexOf(0, from)
  const to = from + length
  return bytes.toString("latin1", from, zero === -1 || zero > to ? to : zero)
}

/** The packet, or why these bytes are none. Its numbers are not checked: a float may be anything that four bytes hold. */
export const decodeOutGauge = (bytes: Buffer): OutGauge | string => {
  if (bytes.length < OUT_GAUGE_BYTES) {
    return `an OutGauge packet of ${bytes.length} bytes, where ${OUT_GAUGE_BYTES} are expected`
  }
  return {
    time: bytes.readUInt32LE(0),
    car: textOf(bytes, 4, 4),
    flags: bytes.readUInt16LE(8),
    gear: bytes[10]!,
    plid: bytes[11]!,
    speed: bytes.readFloatLE(12),
    rpm: bytes.readFloatLE(16),
    turbo: bytes.readFloatLE(20),
    engineTemperature: bytes.readFloatLE(24),
    fuel: bytes.readFloatLE(28),
    oilPressure: bytes.readFloatLE(32),
    oilTemperature: bytes.readFloatLE(36),
    dashLights: bytes.readUInt32LE(40),
    showLights: bytes.readUInt32LE(44),
    throttle: bytes.readFloatLE(48),
    brake: bytes.readFloatLE(52),
    clutch: bytes.readFloatLE(56),
    display1: textOf(bytes, 60, DISPLAY_BYTES),
    display2: textOf(bytes, 76, DISPLAY_BYTES),
    id: bytes.length < OUT_GAUGE_WITH_ID_BYTES ? undefined : bytes.readInt32LE(92)
  }
}
