/** The requests to Assetto Corsa: 12 bytes, section 2 of the sheet. */
export const REQUEST_BYTES = 12

export const operations = { handshake: 0, subscribeUpdates: 1, subscribeSpots: 2, dismiss: 3 } as const

/** A kind of device, which the simulator ignores. */
const DEVICE = 1
const VERSION = 1

export const encodeRequest = (operation: keyof typeof operations): Buffer => {
  const bytes = Buffer.alloc(REQUEST_BYTES)
  bytes.writeInt32LE(DEVICE, 0)
  bytes.writeInt32LE(VERSION, 4)
  bytes.writeInt32LE(operations[operation], 8)
  return bytes
}
