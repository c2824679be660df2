/** Messages between nodes that are text. */
export const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

export const parsed = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString())
