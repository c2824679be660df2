/** Options of a simulator's driver for a connect, as fields of a form. The service describes them with schemas. */
import { labelOf } from "../../live/channels.ts"
import type { Simulator } from "../../types.ts"

/** The JSON schema of an option, as far as a form needs it. */
interface OptionSchema {
  readonly type?: string
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, OptionSchema>>
}

type Options = Readonly<Record<string, OptionSchema>>

const fieldName = (...path: ReadonlyArray<string>) => ["option", ...path].join(".")

/** The purpose of an option, always visible: a phone has no tooltips. */
const Help = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : <span class="help">{text}</span>

const Field = ({ path, schema }: { path: ReadonlyArray<string>; schema: OptionSchema }) => {
  const name = fieldName(...path)
  const label = labelOf(path.at(-1)!)
  // Parts have only the descriptions of their schemas, which repeat the label.
  const help = path.length === 1 ? schema.description : undefined
  switch (schema.type) {
    case "boolean":
      return (
        <label class="field">
          <span class="check">
            <input type="checkbox" name={name} /> {label}
          </span>
          <Help text={help} />
        </label>
      )
    case "number":
      return (
        <label class="field">
          {label}
          <input type="number" step="any" name={name} min={schema.minimum} max={schema.maximum} />
          <Help text={help} />
        </label>
      )
    case "object":
      return (
        <fieldset class="field parts">
          <legend>{label}</legend>
          {Object.entries(schema.properties ?? {}).map(([part, inner]) => (
            <Field key={part} path={[...path, part]} schema={inner} />
          ))}
          <Help text={help} />
        </fieldset>
      )
    default:
      return (
        <label class="field">
          {label}
          {path.at(-1)!.includes("password") ? (
            <input type="password" autocomplete="off" name={name} />
          ) : (
            <input name={name} />
          )}
          <Help text={help} />
        </label>
      )
  }
}

const optionsOf = (simulator: Simulator | undefined): Options => (simulator?.options ?? {}) as Options

export const OptionFields = ({ simulator }: { simulator: Simulator | undefined }) => {
  const options = Object.entries(optionsOf(simulator))
  return options.length === 0 ? null : (
    <div class="form options">
      {options.map(([name, schema]) => (
        <Field key={`${simulator?.name} ${name}`} path={[name]} schema={schema} />
      ))}
    </div>
  )
}

/** Undefined for an empty field. */
const valueOf = (
  form: FormData,
  path: ReadonlyArray<string>,
  { properties, type }: OptionSchema
): unknown => {
  if (type === "object") {
    const parts = Object.entries(properties ?? {}).map(
      ([part, inner]) => [part, valueOf(form, [...path, part], inner)] as const
    )
    return parts.every(([, value]) => value === undefined) ? undefined : Object.fromEntries(parts)
  }
  const given = String(form.get(fieldName(...path)) ?? "")
  if (type === "boolean") return given === "on" ? true : undefined
  if (given === "") return undefined
  return type === "number" ? Number(given) : given
}

/** The filled options, by name. */
export const givenOptions = (form: FormData, simulator: Simulator | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(optionsOf(simulator)).flatMap(([name, schema]) => {
      const value = valueOf(form, [name], schema)
      return value === undefined ? [] : [[name, value]]
    })
  )
