/** Codings of content that the service gives where a client asks for one (RFC 9110, 12.5.3). */
import Negotiator from "negotiator"

/** The one that the service would rather give first: smaller for less. */
export const codings = ["br", "gzip"] as const

export type Coding = (typeof codings)[number]

/** With an option that its types do not know: what is taken first of what the client would as soon have. */
interface Encodings {
  readonly encodings: (
    among: ReadonlyArray<string>,
    options?: { readonly preferred: ReadonlyArray<string> }
  ) => ReadonlyArray<string>
}

/** One of those that there are which `Accept-Encoding` asks for; undefined: the content as it is. */
export const codingFor = (
  acceptEncoding: string | undefined,
  among: ReadonlyArray<Coding> = codings
): Coding | undefined => {
  if (acceptEncoding === undefined || among.length === 0) return undefined
  const negotiator: Encodings = new Negotiator({ headers: { "accept-encoding": acceptEncoding } })
  const [best] = negotiator.encodings([...among, "identity"], { preferred: among })
  return among.find((coding) => coding === best)
}
