/** Which of the types that the service can give a client would rather have (RFC 9110, 12.5.1). */

interface Range {
  readonly type: string
  readonly quality: number
  /** Its place in the header. */
  readonly place: number
}

const ranges = (accept: string): ReadonlyArray<Range> =>
  accept.split(",").map((text, place) => {
    const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0, place }
  })

const matches = (range: Range, type: string) =>
  range.type === type || range.type === "*/*" || range.type === `${type.split("/")[0]}/*`

const wildcards = ({ type }: Range) => type.split("*").length - 1

/** The first of `offered` where the client does not say, or accepts none of them. */
export const preferred = <const A extends string>(
  accept: string | undefined,
  offered: readonly [A, ...ReadonlyArray<A>]
): A => {
  const wanted = ranges(accept ?? "")
  const [best] = offered
    .flatMap((type) => {
      const [closest] = wanted
        .filter((range) => matches(range, type))
        .sort((a, b) => wildcards(a) - wildcards(b))
      return closest === undefined || closest.quality === 0 ? [] : [{ type, closest }]
    })
    .sort(
      (a, b) =>
        b.closest.quality - a.closest.quality ||
        wildcards(a.closest) - wildcards(b.closest) ||
        a.closest.place - b.closest.place
    )
  return best?.type ?? offered[0]
}
