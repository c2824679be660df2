/** A datagram of a capture. */
export interface Datagram {
  /** When it was captured, epoch seconds; for a capture without a date, seconds since its first. */
  readonly time: number
  /** The address that sent it, without the port; "" where the capture does not say. */
  readonly from: string
  /** The port to which it was sent; 0 where the capture does not say. */
  readonly port: number
  readonly bytes: Buffer
}

/** What a capture's file holds, in pieces. */
export interface Captured {
  readonly datagrams: ReadonlyArray<Datagram>
  /** Whether their times are epoch seconds, where captures of the format may be either. */
  readonly isDated?: boolean
  /** The bytes of the file that were read so far. */
  readonly read: number
  /** The file is damaged: a sentence about what is missing. */
  readonly damage?: string | undefined
  /** Packets that were left out, by reason. */
  readonly leftOut?: Readonly<Record<string, number>>
}

/** A kind of capture. */
export interface CaptureFormat {
  readonly format: string
  readonly title: string
  readonly endings: ReadonlyArray<string>
  readonly recognises: (head: Uint8Array) => boolean
  /** Whether its times are epoch seconds. */
  readonly isDated: boolean
}
