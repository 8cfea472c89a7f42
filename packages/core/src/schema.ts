import { noOption, refuse, type NestedNames } from './options.js'
import type { InputOf, OutputOf, StandardIssue, StandardSchema } from './standard-schema.js'

export type { InputOf, StandardSchema } from './standard-schema.js'

export type Presence = 'optional' | 'required' | 'default'

/** Options by name. Each is a schema of `@skills/core/schema`, or a Standard Schema of any library. */
export type Shape = Readonly<Record<string, StandardSchema>>

/** Structure of a schema, for code that describes it. */
export type Form =
  | {
      readonly type: 'leaf'
      /** End of the sentence "It must be …". */
      readonly says: string
      readonly accepts: (value: unknown) => boolean
      /** JSON Schema of the value; undefined if JSON does not have it. */
      readonly json?: object | undefined
    }
  | { readonly type: 'list'; readonly item: StandardSchema }
  | { readonly type: 'record'; readonly value: StandardSchema }
  | { readonly type: 'object'; readonly shape: Shape }
  | { readonly type: 'either'; readonly some: readonly StandardSchema[] }
  | { readonly type: 'variants'; readonly by: string; readonly shapes: readonly Shape[] }

/** Problem of a value, or of a value inside it. */
export interface Issue extends StandardIssue {
  /** Text after the name of the option: `must be text`. */
  readonly message: string
  readonly path: PropertyKey[]
  /** Known names, if the problem is an unknown one. */
  readonly known?: readonly string[]
  /** Known names inside the options beside an unknown one; absent if there are none. */
  readonly nested?: NestedNames
}

/**
 * Type of a value, with its check. An option is optional unless it is {@link Schema.required} or has a
 * {@link Schema.default}.
 */
export class Schema<In, P extends Presence = 'optional', Out = In> implements StandardSchema<In, Out> {
  readonly form: Form
  readonly presence: P
  /** Default, in the form in which it would be given. */
  readonly fallback: In | undefined
  /** True if a configuration file may set it. */
  readonly isInFiles: boolean

  constructor(form: Form, presence: P, fallback?: In, isInFiles = false) {
    this.form = form
    this.presence = presence
    this.fallback = fallback
    this.isInFiles = isInFiles
  }

  default(value: In): Schema<In, 'default', Out> {
    return new Schema(this.form, 'default', value, this.isInFiles)
  }

  required(): Schema<In, 'required', Out> {
    return new Schema<In, 'required', Out>(this.form, 'required', undefined, this.isInFiles)
  }

  /** Lets a configuration file set it. */
  inFiles(): Schema<In, P, Out> {
    return new Schema<In, P, Out>(this.form, this.presence, this.fallback, true)
  }

  get '~standard'(): StandardSchema<In, Out>['~standard'] {
    return {
      version: 1,
      vendor: '@skills/core',
      validate: given => {
        const { value, issues } = check<Out>(this as StandardSchema<unknown, Out>, given)
        return issues.length === 0 ? { value } : { issues }
      },
    }
  }
}

type Optional<S> = S extends { readonly presence: infer P }
  ? P extends 'required'
    ? false
    : true
  : S extends StandardSchema
    ? undefined extends InputOf<S>
      ? true
      : false
    : never

type Present<S> = S extends { readonly presence: infer P }
  ? P extends 'optional'
    ? false
    : true
  : S extends StandardSchema
    ? undefined extends OutputOf<S>
      ? false
      : true
    : never

type Flat<T> = { readonly [K in keyof T]: T[K] }

/** Options in the form in which a caller gives them. Each option has the comment of its property in the shape. */
export type GivenOf<S> = S extends Shape
  ? Flat<
      { readonly [K in keyof S as Optional<S[K]> extends true ? never : K]: InputOf<S[K]> } & {
        readonly [K in keyof S as Optional<S[K]> extends true ? K : never]?: InputOf<S[K]> | undefined
      }
    >
  : never

/** Options after the check, with their defaults. */
export type ValuesOf<S> = S extends Shape
  ? Flat<
      { readonly [K in keyof S as Present<S[K]> extends true ? K : never]: OutputOf<S[K]> } & {
        readonly [K in keyof S as Present<S[K]> extends true ? never : K]?: Exclude<OutputOf<S[K]>, undefined>
      }
    >
  : never

/** Options of a function or a plugin, see {@link options}. */
export class Options<S> extends Schema<GivenOf<S>, 'optional', ValuesOf<S>> {
  readonly what: string
  /** Shape, for options that extend these: `{ ...userOptions.shape, more: flag() }`. */
  readonly shape: S

  constructor(what: string, form: Form, shape: S) {
    super(form, 'optional')
    this.what = what
    this.shape = shape
  }

  /**
   * Returns checked values with defaults. Throws `E_INVALID_OPTION` for an unknown option, with the closest name, and
   * for a value that is not accepted.
   * @param what function that has the options, if it was not known before
   */
  read(given: unknown = {}, what: string = this.what): ValuesOf<S> {
    const { value, issues } = check<ValuesOf<S>>(this, given)
    // A wrong value is reported before a missing one.
    const issue = issues.find(one => one.known !== undefined || valueAt(given, one) !== undefined) ?? issues[0]
    if (issue !== undefined) refuseFor(what, this.form, given, value, issue, issues)
    return value
  }
}

/** Type of options in the form in which a caller gives them. */
export type OptionsOf<O extends StandardSchema> = InputOf<O>

/**
 * Defines options. Their type, check and defaults follow from it, and the table in a README.
 *
 *     const userOptions = options('userSource()', {
 *       // Folders in the home folder, highest first.
 *       folders: list(text()).default(['.claude', '.agents']).inFiles(),
 *       wins: oneOf('first', 'last').default('first'),
 *     })
 *     type UserOptions = OptionsOf<typeof userOptions>
 *     const { folders, wins } = userOptions.read(given)
 *
 * @param what function that has the options, as errors name it
 */
/* @__NO_SIDE_EFFECTS__ */
export function options<const S extends Shape>(what: string, shape: S): Options<S> {
  return new Options(what, { type: 'object', shape }, shape)
}

/** Defines options in several shapes. The shape counts whose option `by` accepts the given value. */
/* @__NO_SIDE_EFFECTS__ */
export function variants<const S extends readonly Shape[]>(what: string, by: string, ...shapes: S): Options<S[number]> {
  return new Options(what, { type: 'variants', by, shapes }, Object.assign({}, ...shapes) as S[number])
}

/** Defines options within an option. */
/* @__NO_SIDE_EFFECTS__ */
export function object<const S extends Shape>(shape: S): Schema<GivenOf<S>, 'optional', ValuesOf<S>> {
  return new Schema({ type: 'object', shape }, 'optional')
}

/* @__NO_SIDE_EFFECTS__ */
export function list<S extends StandardSchema>(
  item: S,
): Schema<readonly InputOf<S>[], 'optional', readonly OutputOf<S>[]> {
  return new Schema({ type: 'list', item }, 'optional')
}

/** Accepts an object with any names. */
/* @__NO_SIDE_EFFECTS__ */
export function record<S extends StandardSchema>(
  value: S,
): Schema<Readonly<Record<string, InputOf<S>>>, 'optional', Readonly<Record<string, OutputOf<S>>>> {
  return new Schema({ type: 'record', value }, 'optional')
}

/**
 * Accepts a value that one of several schemas accepts; the first one counts. With one schema of another library, it
 * adds the methods of ours: `either(z.url()).inFiles()`.
 */
/* @__NO_SIDE_EFFECTS__ */
export function either<S extends readonly StandardSchema[]>(
  ...some: S
): Schema<InputOf<S[number]>, 'optional', OutputOf<S[number]>> {
  return new Schema({ type: 'either', some }, 'optional')
}

/**
 * Accepts text.
 * @param says end of the sentence "It must be …": `an absolute path`
 * @param accepts further check of the text
 */
/* @__NO_SIDE_EFFECTS__ */
export const text = <T extends string = string>(
  says = 'text',
  accepts: (value: string) => boolean = () => true,
): Schema<T> => leaf(says, value => typeof value === 'string' && accepts(value), { type: 'string' })

/* @__NO_SIDE_EFFECTS__ */
export const flag = (): Schema<boolean> =>
  leaf('true or false', value => typeof value === 'boolean', { type: 'boolean' })

export interface NumberRange {
  /** Exclusive lower limit. */
  readonly above?: number
  /** Smallest number. */
  readonly from?: number
  /** Largest number; beside one of the others. */
  readonly to?: number
  readonly isWhole?: boolean
  /** True if `Infinity` is accepted too, for no limit. */
  readonly orInfinity?: boolean
}

/* @__NO_SIDE_EFFECTS__ */
export function number({ above, from, to, isWhole = false, orInfinity = false }: NumberRange = {}): Schema<number> {
  const least = above === undefined ? (from === undefined ? '' : ` of ${from} or more`) : ` above ${above}`
  const range = to === undefined ? least : from === undefined ? `${least} and at most ${to}` : ` from ${from} to ${to}`
  return leaf(
    `a ${isWhole ? 'whole ' : ''}number${range}${orInfinity ? ', or Infinity' : ''}`,
    value =>
      (orInfinity && value === Infinity) ||
      (typeof value === 'number' &&
        value > (above ?? -Infinity) &&
        value >= (from ?? -Infinity) &&
        value <= (to ?? Infinity) &&
        (!isWhole || Number.isSafeInteger(value))),
    { type: isWhole ? 'integer' : 'number', exclusiveMinimum: above, minimum: from, maximum: to },
  )
}

/** Accepts a whole number of 1 or more. */
/* @__NO_SIDE_EFFECTS__ */
export const count = (range?: Pick<NumberRange, 'orInfinity'>): Schema<number> =>
  number({ from: 1, isWhole: true, ...range })

/** Accepts a time to wait, at most the longest delay of a timer. With a longer one, a timer would fire at once. */
/* @__NO_SIDE_EFFECTS__ */
export const milliseconds = (range?: Pick<NumberRange, 'orInfinity'>): Schema<number> =>
  number({ from: 1, to: 2 ** 31 - 1, isWhole: true, ...range })

/* @__NO_SIDE_EFFECTS__ */
export const oneOf = <const T extends string | number | boolean | null>(...values: readonly T[]): Schema<T> =>
  leaf(values.join(', ').replace(/, (?=[^,]*$)/, ' or '), value => values.includes(value as T), { enum: values })

/** Accepts a function, which no file can set. */
/* @__NO_SIDE_EFFECTS__ */
export const fn = <F extends (...given: never[]) => unknown>(): Schema<F> =>
  leaf('a function', value => typeof value === 'function')

/**
 * Accepts a value of a type that only code has.
 * @param says end of the sentence "It must be …": `a store`
 * @param accepts check, or the name of a member that the value must have. Default: every object and function is
 * accepted
 */
/* @__NO_SIDE_EFFECTS__ */
export const typed = <T>(
  says: string,
  accepts: ((value: unknown) => boolean) | (keyof T & string) = isObject,
): Schema<T> => leaf(says, typeof accepts === 'function' ? accepts : given => isObject(given) && accepts in given)

/** Returns the form of a schema of ours; undefined for one of another library. */
export const formOf = (schema: StandardSchema): Form | undefined => (schema as Partial<Schema<unknown>>).form

/** Describes the values that a schema accepts, as the end of the sentence "It must be …". */
export function saysOf(schema: StandardSchema): string {
  const form = formOf(schema)
  if (form?.type === 'leaf') return form.says
  if (form?.type === 'either') return [...new Set(form.some.map(saysOf))].join(', or ')
  if (form?.type !== 'list') return form === undefined ? 'as its schema says' : 'an object'
  return formOf(form.item)?.type === 'leaf' ? `a list, each ${saysOf(form.item)}` : 'a list'
}

/**
 * Returns the value with its defaults, and all problems of the value. Unknown names are left out of the returned value.
 */
export function check<Out>(
  schema: StandardSchema<unknown, Out>,
  given: unknown,
): { readonly value: Out; readonly issues: readonly Issue[] } {
  const issues: Issue[] = []
  return { value: read(schema, given, issues) as Out, issues }
}

function leaf<T>(says: string, accepts: (value: unknown) => boolean, json?: object): Schema<T> {
  return new Schema<T>({ type: 'leaf', says, accepts, json }, 'optional')
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param issues list to which problems are added, with paths from this value */
function read(schema: StandardSchema, given: unknown, issues: Issue[]): unknown {
  const form = formOf(schema)
  switch (form?.type) {
    case undefined:
      return readForeign(schema, given, issues)
    case 'leaf':
      if (form.accepts(given)) return given
      break
    case 'list': {
      if (!Array.isArray(given)) break
      const items = given.map((item: unknown, at) => readAt(at, form.item, item, issues))
      // An unchanged list stays the same object.
      return items.every((item, at) => item === given[at]) ? given : items
    }
    case 'record':
      if (!isRecord(given)) break
      return Object.fromEntries(Object.entries(given).map(([key, one]) => [key, readAt(key, form.value, one, issues)]))
    case 'object':
      if (!isRecord(given)) break
      return readObject(form.shape, given, issues)
    case 'variants': {
      if (!isRecord(given)) break
      const { by } = form
      const shape = form.shapes.find(one => {
        const wrong: Issue[] = []
        readOption(by, one[by], given[by], wrong)
        return wrong.length === 0
      })
      if (shape !== undefined) return readObject(shape, given, issues)
      const all = form.shapes.flatMap(one => one[by] ?? [])
      issues.push({ message: `must be ${[...new Set(all.map(saysOf))].join(', ')}`, path: [by] })
      return undefined
    }
    case 'either': {
      const within: Issue[][] = []
      for (const one of form.some) {
        const wrong: Issue[] = []
        const found = read(one, given, wrong)
        if (wrong.length === 0) return found
        if (form.some.length === 1 || wrong.every(({ path }) => path.length > 0)) within.push(wrong)
      }
      // The problems of the schema that the value was meant for say more.
      if (within.length !== 1) break
      issues.push(...within.flat())
      return undefined
    }
  }
  issues.push({ message: `must be ${saysOf(schema)}`, path: [] })
  return undefined
}

function readObject(shape: Shape, given: Readonly<Record<string, unknown>>, issues: Issue[]): unknown {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(shape, name) && given[name] !== undefined)
      issues.push({ message: 'is not an option', path: [name], known: Object.keys(shape), ...nestedIn(shape) })
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(shape)) {
    const found = readOption(name, shape[name], given[name], issues)
    if (found !== undefined) values[name] = found
  }
  return values
}

/** Returns the names inside the options of a shape. */
function nestedIn(shape: Shape): Pick<Issue, 'nested'> {
  const nested = Object.entries(shape).flatMap(([name, schema]) => {
    const form = formOf(schema)
    return form?.type === 'object' ? [[name, Object.keys(form.shape)] as const] : []
  })
  return nested.length === 0 ? {} : { nested: Object.fromEntries(nested) }
}

function readOption(name: string, schema: StandardSchema | undefined, given: unknown, issues: Issue[]): unknown {
  const { presence = 'required', fallback } = schema as Partial<Schema<unknown, Presence>>
  const meant = given === undefined ? fallback : given
  if (schema === undefined || (meant === undefined && presence !== 'required')) return undefined
  return readAt(name, schema, meant, issues)
}

function readAt(key: PropertyKey, schema: StandardSchema, given: unknown, issues: Issue[]): unknown {
  const before = issues.length
  const found = read(schema, given, issues)
  for (const issue of issues.slice(before)) issue.path.unshift(key)
  return found
}

function readForeign(schema: StandardSchema, given: unknown, issues: Issue[]): unknown {
  const result = schema['~standard'].validate(given)
  if (result instanceof Promise) return refuse('The schema of an option is asynchronous.', 'Give a synchronous schema.')
  if (result.issues === undefined) return result.value
  for (const { message, path = [] } of result.issues)
    issues.push({ message, path: path.map(part => (typeof part === 'object' ? part.key : part)) })
  return undefined
}

const valueAt = (given: unknown, { path }: Issue): unknown =>
  path.reduce<unknown>((within, key) => (within as Record<PropertyKey, unknown> | undefined)?.[key], given)

function refuseFor(
  what: string,
  form: Form,
  given: unknown,
  values: unknown,
  issue: Issue,
  issues: readonly Issue[],
): never {
  const { path, message, known } = issue
  if (path.length === 0) refuse(`The options of ${what} are ${shown(given)}.`, 'Give an object.')
  const named = (keys: readonly PropertyKey[]): string =>
    `The option "${keys.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${String(key)}`)).join('')}" of ${what}`
  if (known !== undefined) {
    const shape =
      form.type === 'variants' ? ` with the ${form.by} ${shown((values as Record<string, unknown>)[form.by])}` : ''
    const outer = path.slice(0, -1)
    const beside = issues.filter(
      one => one.known && one.path.length === path.length && outer.every((key, at) => one.path[at] === key),
    )
    noOption(
      path.length === 1 ? `${what}${shape}` : named(outer),
      beside.map(one => String(one.path.at(-1))),
      known,
      issue.nested,
    )
  }
  const wrong = valueAt(given, issue)
  refuse(
    `${named(path)} is ${wrong === undefined ? 'missing' : shown(wrong)}.`,
    message.startsWith('must ') ? `It ${message}.` : message.replace(/(?<![.!?])$/, '.'),
  )
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'function') return 'a function'
  return isRecord(value) ? 'an object' : Array.isArray(value) ? 'a list' : String(value)
}
