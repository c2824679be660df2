/** A packet class of the npm client node-insim. */
export interface Unpacks {
  readonly unpack: (bytes: Uint8Array<ArrayBuffer>) => object
}

/** The fields that it reads. It reads a buffer from the beginning of its memory, whatever its offset, so it gets a copy. */
export const fieldsOf = (reader: Unpacks, bytes: Buffer) => {
  const {
    _raw,
    SIZE_MULTIPLIER: _unit,
    ...fields
  } = reader.unpack(new Uint8Array(bytes)) as Record<string, unknown>
  return fields
}
