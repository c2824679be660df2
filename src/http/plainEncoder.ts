/**
 * Encodes answers by their schema without Effect's parser, by a function made once. It covers schemas of plain shapes
 * (objects, arrays, null or another shape, date-times). It checks types and refinements as the parser does; a value
 * that does not match the schema is left to the parser, which encodes it or gives the error.
 */
import { Either, Option, Schema, SchemaAST } from "effect"

/** Stands for a value that only Effect's parser can encode. */
const UNKNOWN = Symbol("unknown")

type Encode = (value: unknown) => unknown

const OPTIONS: SchemaAST.ParseOptions = {}

const checked =
  (is: (value: unknown) => boolean): Encode =>
  (value) =>
    is(value) ? value : UNKNOWN

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Undefined for a shape that is not plain. */
const encodeOf = (ast: SchemaAST.AST): Encode | undefined => {
  switch (ast._tag) {
    case "StringKeyword":
      return checked((value) => typeof value === "string")
    case "NumberKeyword":
      return checked((value) => typeof value === "number")
    case "BooleanKeyword":
      return checked((value) => typeof value === "boolean")
    case "UndefinedKeyword":
      return checked((value) => value === undefined)
    case "Literal":
      return checked((value) => value === ast.literal)
    case "Refinement":
      return ofRefinement(ast)
    case "TypeLiteral":
      return ofObject(ast)
    case "TupleType":
      return ofArray(ast)
    case "Union":
      return ofUnion(ast)
    case "Transformation":
      return ofTransformation(ast)
    default:
      return undefined
  }
}

const ofRefinement = (ast: SchemaAST.Refinement): Encode | undefined => {
  const encode = encodeOf(ast.from)
  if (encode === undefined || SchemaAST.typeAST(ast.from) !== ast.from) return undefined
  return (value) => {
    const encoded = encode(value)
    return encoded === UNKNOWN || Option.isSome(ast.filter(value, OPTIONS, ast)) ? UNKNOWN : encoded
  }
}

interface Field {
  readonly name: string
  readonly isOptional: boolean
  readonly encode: Encode
}

/** Writes fields in the schema's order, as the parser does. */
const ofObject = ({ indexSignatures, propertySignatures }: SchemaAST.TypeLiteral): Encode | undefined => {
  const fields = propertySignatures.flatMap(({ isOptional, name, type }): ReadonlyArray<Field> => {
    const encode = encodeOf(type)
    return typeof name !== "string" || encode === undefined ? [] : [{ name, isOptional, encode }]
  })
  // For an object schema without fields, the parser takes any value.
  if (indexSignatures.length > 0 || fields.length === 0 || fields.length < propertySignatures.length)
    return undefined
  return (value) => {
    if (!isObject(value)) return UNKNOWN
    const encoded: Record<string, unknown> = {}
    for (const { encode, isOptional, name } of fields) {
      const inside = value[name]
      if (inside === undefined && !Object.hasOwn(value, name)) {
        if (isOptional) continue
        return UNKNOWN
      }
      const field = encode(inside)
      if (field === UNKNOWN) return UNKNOWN
      encoded[name] = field
    }
    return encoded
  }
}

const ofArray = ({ elements, rest }: SchemaAST.TupleType): Encode | undefined => {
  const [each, ...others] = rest
  const encode = each && encodeOf(each.type)
  if (encode === undefined || others.length > 0 || elements.length > 0) return undefined
  return (value) => {
    if (!Array.isArray(value)) return UNKNOWN
    const encoded: Array<unknown> = []
    for (const element of value) {
      const one = encode(element)
      if (one === UNKNOWN) return UNKNOWN
      encoded.push(one)
    }
    return encoded
  }
}

const isComposed = ({ _tag }: SchemaAST.AST) => _tag === "TypeLiteral" || _tag === "TupleType"

/** Covers unions with at most one object or array: among several, only the parser can choose. */
const ofUnion = ({ types }: SchemaAST.Union): Encode | undefined => {
  const encodes = types.flatMap((type) => encodeOf(type) ?? [])
  if (encodes.length < types.length || types.filter(isComposed).length > 1) return undefined
  return (value) => {
    for (const encode of encodes) {
      const encoded = encode(value)
      if (encoded !== UNKNOWN) return encoded
    }
    return UNKNOWN
  }
}

/** A value that becomes another, as a date-time does. */
const ofTransformation = (ast: SchemaAST.Transformation): Encode | undefined => {
  const [to, from] = [encodeOf(ast.to), encodeOf(ast.from)]
  const { transformation } = ast
  if (to === undefined || from === undefined || !SchemaAST.isFinalTransformation(transformation))
    return undefined
  return (value) => {
    const inside = to(value)
    if (inside === UNKNOWN) return UNKNOWN
    const made = transformation.encode(inside, OPTIONS, ast, value)
    return Either.isEither(made) && Either.isRight(made) ? from(made.right) : UNKNOWN
  }
}

/** Does what `Schema.encodeSync` does: throws for a value that the schema does not have. */
export const plainEncoder = <A, I>(schema: Schema.Schema<A, I>): ((value: A) => I) => {
  const parser = Schema.encodeSync(schema)
  const encode = encodeOf(schema.ast)
  if (encode === undefined) return parser
  return (value) => {
    const encoded = encode(value)
    return encoded === UNKNOWN ? parser(value) : (encoded as I)
  }
}
