/**
 * The wire form of the domain's shapes. A shape is stated once, with names in camelCase. This module turns them into
 * interface.md's snake_case: in the schema, which describes a body and encodes an answer, and in the value.
 *
 * Values that contain only numbers and texts are not traversed: columns of any length pass unchanged. Keys of records
 * are data, and stay.
 */
import { Either, Schema, SchemaAST } from "effect"

/** The name on the wire. */
export type WireName<Name, Done extends string = ""> = Name extends `${infer First}${infer Rest}`
  ? WireName<Rest, `${Done}${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}`>
  : Name extends ""
    ? Done
    : Name

/** The same value with its names on the wire. */
export type Wire<A> = A extends object
  ? A extends ReadonlyArray<unknown>
    ? { readonly [Index in keyof A]: Wire<A[Index]> }
    : { readonly [Name in keyof A as WireName<Name>]: Wire<A[Name]> }
  : A

/** `lapTime` as `lap_time`. */
export const inSnakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const wireName = (name: PropertyKey): PropertyKey => (typeof name === "string" ? inSnakeCase(name) : name)

/** The schema with the other names; the same schema if no name differs. */
const renamed = (ast: SchemaAST.AST): SchemaAST.AST => {
  switch (ast._tag) {
    case "TypeLiteral": {
      const properties = ast.propertySignatures.map((property) => {
        const name = wireName(property.name)
        const type = renamed(property.type)
        return name === property.name && type === property.type
          ? property
          : new SchemaAST.PropertySignature(
              name,
              type,
              property.isOptional,
              property.isReadonly,
              property.annotations
            )
      })
      const records = ast.indexSignatures.map((record) => {
        const type = renamed(record.type)
        return type === record.type
          ? record
          : new SchemaAST.IndexSignature(record.parameter, type, record.isReadonly)
      })
      return isSame(properties, ast.propertySignatures) && isSame(records, ast.indexSignatures)
        ? ast
        : new SchemaAST.TypeLiteral(properties, records, ast.annotations)
    }
    case "TupleType": {
      const rest = ast.rest.map((element) => {
        const type = renamed(element.type)
        return type === element.type ? element : new SchemaAST.Type(type, element.annotations)
      })
      return isSame(rest, ast.rest)
        ? ast
        : new SchemaAST.TupleType(ast.elements, rest, ast.isReadonly, ast.annotations)
    }
    case "Union": {
      const types = ast.types.map(renamed)
      return isSame(types, ast.types) ? ast : SchemaAST.Union.make(types, ast.annotations)
    }
    case "Transformation": {
      const [from, to] = [renamed(ast.from), renamed(ast.to)]
      if (from === ast.from && to === ast.to) return ast
      return new SchemaAST.Transformation(from, to, renamedFields(ast.transformation), ast.annotations)
    }
    default:
      return ast
  }
}

/** How to decode an object whose fields have defaults. Any other transformation would get names that it does not know. */
const renamedFields = (transformation: SchemaAST.TransformationKind): SchemaAST.TransformationKind => {
  if (!SchemaAST.isTypeLiteralTransformation(transformation))
    throw new Error("BUG: an object that is transformed as a whole has other names on the wire")
  return new SchemaAST.TypeLiteralTransformation(
    transformation.propertySignatureTransformations.map(
      ({ decode, encode, from, to }) =>
        new SchemaAST.PropertySignatureTransformation(wireName(from), wireName(to), decode, encode)
    )
  )
}

const isSame = (some: ReadonlyArray<unknown>, others: ReadonlyArray<unknown>) =>
  some.every((one, index) => one === others[index])

type Rename = (value: unknown) => unknown

/** The direction of conversion: `out` gives values their names on the wire, `in` gives them those of the domain. */
type Way = "out" | "in"

/** Gives values their other names; undefined if no name differs. */
const renameOf = (ast: SchemaAST.AST, way: Way): Rename | undefined => {
  switch (ast._tag) {
    case "TypeLiteral": {
      const [record] = ast.indexSignatures
      const inRecord = record && renameOf(record.type, way)
      const fields: Record<string, { readonly to: string; readonly within: Rename | undefined }> =
        Object.create(null)
      for (const { name, type } of ast.propertySignatures) {
        const names = [name as string, wireName(name) as string] as const
        const [from, to] = way === "out" ? names : names.toReversed()
        fields[from!] = { to: to!, within: renameOf(type, way) }
      }
      const isRenamed = Object.entries(fields).some(
        ([name, { to, within }]) => name !== to || within !== undefined
      )
      if (!isRenamed && inRecord === undefined) return undefined
      return (value) => {
        const given = value as Record<string, unknown>
        const named: Record<string, unknown> = {}
        // Fields keep the value's order. A field that the schema does not have is not part of the answer.
        for (const name in given) {
          const field = fields[name]
          const inside = given[name]
          if (field !== undefined)
            named[field.to] = field.within === undefined ? inside : field.within(inside)
          else if (record !== undefined) named[name] = inRecord === undefined ? inside : inRecord(inside)
        }
        return named
      }
    }
    case "TupleType": {
      const [each] = ast.rest
      const rename = each && renameOf(each.type, way)
      return rename && ((value) => (value as ReadonlyArray<unknown>).map(rename))
    }
    case "Union": {
      const [rename, ...others] = ast.types.flatMap((type) => renameOf(type, way) ?? [])
      if (others.length > 0) throw new Error("BUG: a union of two objects whose names differ on the wire")
      return rename && ((value) => (typeof value === "object" && value !== null ? rename(value) : value))
    }
    case "Transformation":
      return renameOf(ast.to, way)
    default:
      return undefined
  }
}

/** The same schema with its names on the wire. Formats, such as that of a date-time, stay. */
export const wireSchema = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<Wire<A>, Wire<I>> =>
  Schema.make(renamed(schema.ast))

/** Gives values of a schema their names on the wire. */
export const toWire = <A, I>(schema: Schema.Schema<A, I>): ((value: A) => Wire<A>) =>
  (renameOf(schema.ast, "out") ?? ((value) => value)) as (value: A) => Wire<A>

type Encode = (value: unknown) => unknown

const isEmpty = (ast: SchemaAST.AST) =>
  SchemaAST.isUndefinedKeyword(ast) || (SchemaAST.isLiteral(ast) && ast.literal === null)

/** Encodes by the schema itself, which checks each value too. */
const encodeBySchema = (ast: SchemaAST.AST): Encode => {
  const rename = renameOf(ast, "out")
  const encode = Schema.encodeSync(Schema.make<unknown>(renamed(ast)))
  return rename === undefined ? encode : (value) => encode(rename(value))
}

/** Encodes a format, such as that of a date-time, directly if both its sides are plain. */
const encodeTransformed = (ast: SchemaAST.Transformation): Encode => {
  const bySchema = encodeBySchema(ast)
  const { from, to, transformation } = ast
  if (!SchemaAST.isFinalTransformation(transformation)) return bySchema
  if (!SchemaAST.isStringKeyword(from) || !SchemaAST.isNumberKeyword(to)) return bySchema
  return (value) => {
    const encoded = transformation.encode(value, {}, ast, value)
    return Either.isEither(encoded) && Either.isRight(encoded) ? encoded.right : bySchema(value)
  }
}

/**
 * Encodes in one pass, with fields in the schema's order. Undefined if values are their own JSON. The compiler has
 * checked the values' types: checking them again by the schema takes several times as long.
 */
const encoderOf = (ast: SchemaAST.AST): Encode | undefined => {
  switch (ast._tag) {
    case "TypeLiteral": {
      const [record, ...others] = ast.indexSignatures
      const fields = ast.propertySignatures.map(
        ({ name, type }) => [name as string, wireName(name) as string, encoderOf(type)] as const
      )
      if (record === undefined)
        return (value) => {
          const given = value as Record<string, unknown>
          const json: Record<string, unknown> = {}
          for (const [name, to, encode] of fields) {
            const inside = given[name]
            if (inside !== undefined) json[to] = encode === undefined ? inside : encode(inside)
          }
          return json
        }
      if (fields.length > 0 || others.length > 0) return encodeBySchema(ast)
      const encode = encoderOf(record.type)
      return encode && ((value) => mapped(value as Record<string, unknown>, encode))
    }
    case "TupleType": {
      const [each, ...others] = ast.rest
      if (ast.elements.length > 0 || others.length > 0) return encodeBySchema(ast)
      const encode = each && encoderOf(each.type)
      return encode && ((value) => (value as ReadonlyArray<unknown>).map(encode))
    }
    case "Union": {
      const [encode, ...others] = ast.types.flatMap((type) => encoderOf(type) ?? [])
      if (encode === undefined) return undefined
      if (others.length > 0 || ast.types.filter((type) => !isEmpty(type)).length > 1)
        return encodeBySchema(ast)
      return (value) => (value === null || value === undefined ? value : encode(value))
    }
    case "Refinement":
      return encoderOf(ast.from)
    case "Transformation":
      return encodeTransformed(ast)
    case "Suspend":
      return encodeBySchema(ast)
    default:
      return undefined
  }
}

const mapped = (record: Readonly<Record<string, unknown>>, encode: Encode): Record<string, unknown> => {
  const json: Record<string, unknown> = {}
  for (const key in record) json[key] = encode(record[key])
  return json
}

/** Encodes values of a schema as JSON: with its names on the wire, and in its formats. */
export const toJson = <A, I>(schema: Schema.Schema<A, I>): ((value: A) => Wire<I>) =>
  (encoderOf(schema.ast) ?? ((value) => value)) as (value: A) => Wire<I>

/** Decodes input with its names on the wire to a value of the schema. Errors name fields as they were sent. */
export const fromWire = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A, Wire<I>> => {
  const rename = renameOf(schema.ast, "in") ?? ((value) => value)
  return Schema.transform(wireSchema(schema), Schema.typeSchema(schema), {
    strict: true,
    decode: (value) => rename(value) as A,
    encode: (_encoded, value) => toWire(schema)(value)
  })
}
