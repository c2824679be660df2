/**
 * The wire form of what the domain states. A shape is stated once, with names in camelCase. Here its names
 * become those of interface.md, in snake_case: the schema's, which describes and encodes an answer, and the value's.
 *
 * What holds numbers and texts alone is not looked into: columns of any length go over as they are. Keys of records
 * are data, and stay.
 */
import { Schema, SchemaAST } from "effect"

/** `lapTime` as `lap_time`. */
export type WireName<Name, Done extends string = ""> = Name extends `${infer First}${infer Rest}`
  ? WireName<Rest, `${Done}${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}`>
  : Name extends ""
    ? Done
    : Name

/** The same value by its names on the wire. */
export type Wire<A> = A extends object
  ? A extends ReadonlyArray<unknown>
    ? { readonly [Index in keyof A]: Wire<A[Index]> }
    : { readonly [Name in keyof A as WireName<Name>]: Wire<A[Name]> }
  : A

const wireName = (name: PropertyKey): PropertyKey =>
  typeof name === "string" ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name

/** The schema with other names; itself where none is another. */
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
    default:
      return ast
  }
}

const isSame = (some: ReadonlyArray<unknown>, others: ReadonlyArray<unknown>) =>
  some.every((one, index) => one === others[index])

type Rename = (value: unknown) => unknown

/** Gives values their names on the wire; undefined where they have them already. */
const renameOf = (ast: SchemaAST.AST): Rename | undefined => {
  switch (ast._tag) {
    case "TypeLiteral": {
      const [record] = ast.indexSignatures
      const inRecord = record && renameOf(record.type)
      const fields: Record<string, { readonly to: string; readonly within: Rename | undefined }> =
        Object.create(null)
      for (const { name, type } of ast.propertySignatures) {
        fields[name as string] = { to: wireName(name) as string, within: renameOf(type) }
      }
      const isRenamed = Object.entries(fields).some(
        ([name, { to, within }]) => name !== to || within !== undefined
      )
      if (!isRenamed && inRecord === undefined) return undefined
      return (value) => {
        const given = value as Record<string, unknown>
        const wire: Record<string, unknown> = {}
        // In the value's order. A field that the schema does not name is none of the answer.
        for (const name in given) {
          const field = fields[name]
          const inside = given[name]
          if (field !== undefined) wire[field.to] = field.within === undefined ? inside : field.within(inside)
          else if (record !== undefined) wire[name] = inRecord === undefined ? inside : inRecord(inside)
        }
        return wire
      }
    }
    case "TupleType": {
      const [each] = ast.rest
      const rename = each && renameOf(each.type)
      return rename && ((value) => (value as ReadonlyArray<unknown>).map(rename))
    }
    case "Union": {
      const [rename, ...others] = ast.types.flatMap((type) => renameOf(type) ?? [])
      if (others.length > 0) throw new Error("BUG: a union of two objects whose names differ on the wire")
      return rename && ((value) => (typeof value === "object" && value !== null ? rename(value) : value))
    }
    default:
      return undefined
  }
}

/** The same schema by its names on the wire; formats, as of a date-time, stay its own. */
export const wireSchema = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<Wire<A>, Wire<I>> =>
  Schema.make(renamed(schema.ast))

/** Gives values of a schema their names on the wire. */
export const toWire = <A, I>(schema: Schema.Schema<A, I>): ((value: A) => Wire<A>) =>
  (renameOf(schema.ast) ?? ((value) => value)) as (value: A) => Wire<A>

/** Gives values of a schema as JSON has them: by its names on the wire, and in its formats. */
export const toJson = <A, I>(schema: Schema.Schema<A, I>): ((value: A) => Wire<I>) => {
  const rename = toWire(schema)
  const encode = Schema.encodeSync(wireSchema(schema))
  return (value) => encode(rename(value))
}
