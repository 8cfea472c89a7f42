import { ownValues, type Field, type FieldValue } from './field.js'

const none: readonly never[] = /* @__PURE__ */ Object.freeze([])
const inMetadata: Readonly<Record<string, unknown>> = /* @__PURE__ */ Object.freeze({})

/** Row without what follows from its name: `default` is `none`, and `property` is the name in one word. */
type Written = Omit<Field, 'property' | 'default'> & Partial<Pick<Field, 'property' | 'default'>>

/**
 * Every field that a skill's frontmatter may set, in the order of the documentation. A new field is a new row; only its
 * effect needs code. The types of commands, the check of commands from sources, reading, JSON, lint, permission, skills
 * in code, new skills, the page in the docs and the JSON Schema follow from the row.
 *
 * The table belongs to core, since every source, executor and permission has to agree about what a command has. If
 * `@skills/skill-md` passed it in, a program without that package would have other types and no check.
 */
const rows = [
  {
    name: 'name',
    every: true,
    type: 'text',
    limit: 64,
    default: "the folder's name",
    standard: true,
    asks: false,
    readers: 'listing, lookup',
    effect: "the display name; the folder's name is what a skill is invoked by",
  },
  {
    name: 'description',
    every: true,
    list: true,
    type: 'text',
    limit: 1024,
    default: 'the first paragraph of the body, heading marks dropped; else the name',
    standard: true,
    asks: false,
    remote: true,
    readers: 'listing',
    effect: 'shown to model and user',
    mayHoldSigns: true,
    isProse: true,
    misspellings: ['desc'],
  },
  {
    name: 'when_to_use',
    aliases: ['when-to-use', 'whenToUse'],
    list: true,
    type: 'text',
    limit: 1024,
    asks: false,
    remote: true,
    readers: 'listing',
    effect: 'added to what the model is told',
    without: 'the model would not be told when to use it',
    mayHoldSigns: true,
    isProse: true,
  },
  {
    name: 'allowed-tools',
    aliases: ['allowed_tools', 'tools'],
    list: true,
    type: 'tools',
    otherwise: none,
    standard: true,
    asks: true,
    asked: 'allows itself',
    readers: 'permission, fork',
    effect: 'pre-approved while the skill is in effect; in a fork the only tools',
    mayHoldSigns: true,
    misspellings: ['allowedtool', 'toolsallowed'],
  },
  {
    name: 'disallowed-tools',
    type: 'tools',
    otherwise: none,
    asks: true,
    asked: 'takes away',
    readers: 'permission, fork',
    effect: 'removed while in effect',
    without: 'the tools that it takes away would be there',
    mayHoldSigns: true,
    misspellings: ['deniedtools', 'disabledtools'],
  },
  {
    name: 'model',
    runs: true,
    type: 'text',
    none: 'inherit',
    default: 'inherit',
    asks: true,
    readers: 'host, fork',
    effect: 'the model asked',
    without: 'another model would do the work',
  },
  {
    name: 'effort',
    runs: true,
    type: 'effort',
    wrong: 'ignored',
    asks: true,
    readers: 'host, fork',
    effect: 'reasoning effort',
    without: 'another effort would be made',
  },
  {
    name: 'context',
    runs: true,
    type: 'word',
    choices: { inline: 'inline', main: 'inline', fork: 'fork' },
    accepts: 'inline (or main) or fork',
    words: 'context',
    wrong: 'ignored',
    otherwise: 'inline',
    default: 'inline',
    asks: true,
    asked: 'runs as',
    readers: 'invocation',
    effect: 'where the prompt goes',
    without: 'it would work in another place, in the conversation or outside of it',
  },
  {
    name: 'agent',
    runs: true,
    type: 'text',
    default: 'general-purpose',
    asks: true,
    readers: 'fork',
    effect: 'who runs a fork',
    without: 'another agent would do the work',
  },
  {
    name: 'background',
    runs: true,
    type: 'boolean',
    default: 'false',
    asks: true,
    asked: 'in the background',
    readers: 'fork',
    effect: 'a fork returns at once',
    without: 'it would not run in the background',
  },
  {
    name: 'argument-hint',
    every: true,
    list: true,
    type: 'text',
    limit: 256,
    joins: true,
    accepts: 'text or a list',
    asks: false,
    remote: true,
    readers: 'listing',
    effect: 'shown after the name',
    without: 'no one would be told what arguments it takes',
    mayHoldSigns: true,
    misspellings: ['arghint', 'argshint'],
  },
  {
    name: 'arguments',
    property: 'argumentNames',
    type: 'names',
    accepts: 'a list of names, or names separated by spaces',
    otherwise: none,
    asks: false,
    readers: 'expansion',
    effect: 'names of positional arguments',
    without: 'its arguments would have no names',
    mayHoldSigns: true,
  },
  {
    name: 'user-invocable',
    every: true,
    list: true,
    type: 'boolean',
    otherwise: true,
    default: 'true',
    asks: false,
    readers: 'lookup, listing',
    effect: 'whether the user may invoke it',
    without: 'users could invoke it, or no longer',
    misspellings: ['userinvokable', 'userinvokeable', 'userinvoceable', 'invocable'],
  },
  {
    name: 'disable-model-invocation',
    list: true,
    type: 'boolean',
    otherwise: false,
    default: 'false',
    asks: false,
    remote: true,
    readers: 'lookup, listing',
    effect: 'whether the model may not',
    without: 'the model could invoke it',
    misspellings: ['disablemodelinvokation', 'disableautoinvocation', 'disablemodelinvoke'],
  },
  {
    name: 'paths',
    list: true,
    type: 'patterns',
    none: '**',
    otherwise: none,
    asks: false,
    readers: 'activation',
    effect: 'when the skill becomes active; `**` alone is none',
    without: 'it would be active regardless of the files that are touched',
    mayHoldSigns: true,
  },
  {
    name: 'hooks',
    free: true,
    type: 'map',
    accepts: 'a map from event to matchers',
    wrong: 'ignored',
    asks: true,
    readers: 'hooks',
    effect: 'registered when it is invoked',
    without: 'its hooks would not run, those that forbid something among them',
  },
  {
    name: 'shell',
    runs: true,
    type: 'word',
    choices: { bash: 'bash', powershell: 'powershell' },
    words: 'shell',
    otherwise: 'bash',
    default: 'bash',
    asks: true,
    readers: 'expansion',
    effect: 'runs embedded commands',
    without: 'its commands would run in another shell',
  },
  {
    name: 'on-shell-error',
    runs: true,
    type: 'word',
    choices: { abort: 'abort', inline: 'inline', skip: 'skip' },
    default: "the distribution's",
    asks: true,
    asked: 'when a command fails',
    readers: 'expansion',
    effect: 'what a failing embedded command does',
    without: 'a command that fails would be taken in another way',
  },
  {
    name: 'restore',
    list: true,
    type: 'boolean',
    default: 'true',
    asks: false,
    remote: true,
    readers: 'sessions',
    effect: 'whether it is given again after compaction',
    without: 'it would be given again after compaction',
  },
  {
    name: 'requires',
    list: true,
    type: 'names',
    accepts: 'a list of skill names, or a map of what it needs',
    otherwise: none,
    asks: false,
    readers: 'invocation, audit',
    effect: 'skills it builds on; of a map its `skills`, and what it needs: "Needs"',
    without: 'what it needs would not be looked for',
  },
  {
    name: 'aliases',
    every: true,
    list: true,
    type: 'names',
    accepts: 'a list of names',
    otherwise: none,
    asks: false,
    readers: 'lookup',
    effect: 'further names',
    without: 'it would not answer to its other names',
  },
  {
    name: 'version',
    every: true,
    list: true,
    type: 'note',
    asks: false,
    remote: true,
    readers: 'listing',
    effect: 'shown by tools',
    without: 'its version would not be known',
  },
  {
    name: 'license',
    type: 'note',
    standard: true,
    asks: false,
    remote: true,
    readers: 'listing',
    effect: 'shown by tools',
    misspellings: ['licence'],
  },
  {
    name: 'compatibility',
    type: 'note',
    standard: true,
    asks: false,
    remote: true,
    readers: 'listing',
    effect: 'shown by tools',
    mayHoldSigns: true,
  },
  {
    name: 'metadata',
    type: 'map',
    accepts: 'a map',
    otherwise: inMetadata,
    standard: true,
    asks: false,
    remote: true,
    readers: 'hosts, audit',
    effect: 'kept, together with every key that is no field',
  },
] as const satisfies readonly Written[]

type Row = (typeof rows)[number]
type PropertyOf<One extends Row> = One extends { readonly property: infer Property extends string }
  ? Property
  : InOneWord<One['name']>
type InOneWord<Name extends string> = Name extends `${infer First}${'-' | '_'}${infer More}`
  ? `${First}${Capitalize<InOneWord<More>>}`
  : Name

/** Name under which a field is documented and written. */
export type FieldName = Row['name']

/** Fields that have a length limit. */
export type LimitedField = Extract<Row, { readonly limit: number }>['name']

/** Fields in the JSON of a list, by property. */
export type ListedField = PropertyOf<Extract<Row, { readonly list: true }>>

/** Values that a file sets, by property; a field that it does not set is absent. */
export type SetFields = { -readonly [One in Row as PropertyOf<One>]?: FieldValue<One> }

/** Fields that commands have in another form: as `displayName`, or derived if no one wrote them. */
type Derived = 'name' | 'description'
type OnEvery = { readonly every: true }
type Defaulted = { readonly otherwise: unknown }

type Value<One extends Row> = One extends { readonly free: true } ? unknown : FieldValue<One>

type Fields<Of extends Row> = {
  readonly [One in Extract<Of, Defaulted> as Exclude<PropertyOf<One>, Derived>]: Value<One>
} & {
  readonly [One in Exclude<Of, Defaulted> as Exclude<PropertyOf<One>, Derived>]?: Value<One> | undefined
}

/** Fields of every command: rows with `every`. */
export type EveryCommandFields = Fields<Extract<Row, OnEvery>>

/** Fields that only prompts have. */
export type PromptFields = Fields<Exclude<Row, OnEvery>>

/** Field that is built in. */
export type KnownField = Field & { readonly name: FieldName; readonly property: keyof SetFields }

const inOneWord = (name: string): string => name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())

/** Every built-in field, in the order of the documentation. */
export const fieldTable = /* @__PURE__ */ rows.map((row: Written): Field => ({
  default: 'none',
  property: inOneWord(row.name),
  ...row,
})) as readonly KnownField[]

/** Values of fields that are not set. */
export const fieldDefaults = /* @__PURE__ */ Object.fromEntries(
  fieldTable.flatMap(field => ('otherwise' in field ? [[field.property, field.otherwise] as const] : [])),
) as Fields<Extract<Row, Defaulted>>

/** All fields of a prompt. */
export type CommandFields = EveryCommandFields & PromptFields

/** Returns every key that is read as a field, the documented one first. */
export function keysOf({ name, aliases = [] }: Pick<Field, 'name' | 'aliases'>): readonly string[] {
  return [name, ...aliases]
}

const known: ReadonlyMap<string, KnownField> = /* @__PURE__ */ new Map(
  fieldTable.flatMap(field => keysOf(field).map((key): [string, KnownField] => [key, field])),
)

/** Fields that need permission, in order: first those that grant something, then those that say how a skill runs. */
const askingFields = /* @__PURE__ */ fieldTable
  .filter(({ asks }) => asks)
  .toSorted(({ runs: one = false }, { runs: other = false }) => Number(one) - Number(other))

/** Value of a field that needs permission. */
export interface AskingValue {
  readonly name: string
  /** Text shown to a person before the value. */
  readonly asked: string
  readonly value: unknown
  /** Value without the field. */
  readonly otherwise?: unknown
}

/** Returns every built-in field that needs permission, set or not, and those of the host's own fields that are set. */
export function askingValues(command: object): readonly AskingValue[] {
  const own = Object.entries(ownValues(command)).filter(([name]) => Object.hasOwn(command, name))
  return [
    ...askingFields.map(({ name, property, asked = name, otherwise }) => ({
      name,
      asked,
      otherwise,
      value: Reflect.get(command, property) as unknown,
    })),
    ...own.map(([name, value]) => ({ name, asked: name, value })),
  ]
}

/** Returns the field that a key is read as; undefined for an unknown key. */
export function fieldOf(key: string): KnownField | undefined {
  return known.get(key)
}
