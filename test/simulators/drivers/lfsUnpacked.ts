/** What the npm client node-insim reads. */
export interface Unpacks {
  readonly unpack: (bytes: Uint8Array<ArrayBuffer>) => object
}

/** Its fields, but for those that say how it is made. It reads a buffer from its very beginning, whatever its offset. */
export const fieldsOf = (reader: Unpacks, bytes: Buffer) => {
  const {
    _raw,
    SIZE_MULTIPLIER: _unit,
    ...fields
  } = reader.unpack(new Uint8Array(bytes)) as Record<string, unknown>
  return fields
}
