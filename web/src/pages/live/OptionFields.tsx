/** What a connect may tell a simulator's driver besides, as fields of a form: made of what the service says of each. */
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

/** `admin_password` as `Admin password`. */
const labelOf = (name: string) => {
  const words = name.replaceAll("_", " ")
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const fieldName = (...path: ReadonlyArray<string>) => ["option", ...path].join(".")

const Field = ({ path, schema }: { path: ReadonlyArray<string>; schema: OptionSchema }) => {
  const name = fieldName(...path)
  const label = labelOf(path.at(-1)!)
  switch (schema.type) {
    case "boolean":
      return (
        <label class="field" title={schema.description}>
          <span>
            <input type="checkbox" name={name} /> {label}
          </span>
        </label>
      )
    case "number":
      return (
        <label class="field" title={schema.description}>
          {label}
          <input type="number" step="any" name={name} min={schema.minimum} max={schema.maximum} />
        </label>
      )
    case "object":
      return (
        <fieldset class="field" title={schema.description}>
          <legend>{label}</legend>
          {Object.entries(schema.properties ?? {}).map(([part, inner]) => (
            <Field key={part} path={[...path, part]} schema={inner} />
          ))}
        </fieldset>
      )
    default:
      return (
        <label class="field" title={schema.description}>
          {label}
          {path.at(-1)!.includes("password") ? (
            <input type="password" autocomplete="off" name={name} />
          ) : (
            <input name={name} />
          )}
        </label>
      )
  }
}

const optionsOf = (simulator: Simulator | undefined): Options => (simulator?.options ?? {}) as Options

export const OptionFields = ({ simulator }: { simulator: Simulator | undefined }) => (
  <>
    {Object.entries(optionsOf(simulator)).map(([name, schema]) => (
      <Field key={`${simulator?.name} ${name}`} path={[name]} schema={schema} />
    ))}
  </>
)

/** Undefined of a field that nobody filled. */
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

/** What was filled in, by the options' names. */
export const givenOptions = (form: FormData, simulator: Simulator | undefined): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(optionsOf(simulator)).flatMap(([name, schema]) => {
      const value = valueOf(form, [name], schema)
      return value === undefined ? [] : [[name, value]]
    })
  )
