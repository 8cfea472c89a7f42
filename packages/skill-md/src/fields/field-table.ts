import type { Field, FieldValue } from './field.js'

const none: readonly never[] = Object.freeze([])
const inMetadata: Readonly<Record<string, unknown>> = Object.freeze({})

/**
 * Every field that a skill's frontmatter may set, in the order of the documentation. Types, reading, commands and their
 * JSON, lint, the page in the docs and the JSON Schema come from here: a new field is a row, and where it does
 * something, that.
 */
export const fieldTable = [
  {
    name: 'name',
    property: 'name',
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
    property: 'description',
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
    property: 'whenToUse',
    type: 'text',
    limit: 1024,
    default: 'none',
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
    property: 'allowedTools',
    type: 'tools',
    otherwise: none,
    default: 'none',
    standard: true,
    asks: true,
    readers: 'permission, fork',
    effect: 'pre-approved while the skill is in effect; in a fork the only tools',
    mayHoldSigns: true,
    misspellings: ['allowedtool', 'toolsallowed'],
  },
  {
    name: 'disallowed-tools',
    property: 'disallowedTools',
    type: 'tools',
    otherwise: none,
    default: 'none',
    asks: true,
    readers: 'permission, fork',
    effect: 'removed while in effect',
    without: 'the tools that it takes away would be there',
    mayHoldSigns: true,
    misspellings: ['deniedtools', 'disabledtools'],
  },
  {
    name: 'model',
    property: 'model',
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
    property: 'effort',
    type: 'effort',
    wrong: 'ignored',
    default: 'none',
    asks: true,
    readers: 'host, fork',
    effect: 'reasoning effort',
    without: 'another effort would be made',
  },
  {
    name: 'context',
    property: 'context',
    type: 'word',
    choices: { inline: 'inline', main: 'inline', fork: 'fork' },
    accepts: 'inline (or main) or fork',
    words: 'context',
    wrong: 'ignored',
    otherwise: 'inline',
    default: 'inline',
    asks: true,
    readers: 'invocation',
    effect: 'where the prompt goes',
    without: 'it would work in another place, in the conversation or outside of it',
  },
  {
    name: 'agent',
    property: 'agent',
    type: 'text',
    default: 'general-purpose',
    asks: true,
    readers: 'fork',
    effect: 'who runs a fork',
    without: 'another agent would do the work',
  },
  {
    name: 'background',
    property: 'background',
    type: 'boolean',
    default: 'false',
    asks: true,
    readers: 'fork',
    effect: 'a fork returns at once',
    without: 'it would not run in the background',
  },
  {
    name: 'argument-hint',
    property: 'argumentHint',
    type: 'text',
    limit: 256,
    joins: true,
    accepts: 'text or a list',
    default: 'none',
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
    default: 'none',
    asks: false,
    readers: 'expansion',
    effect: 'names of positional arguments',
    without: 'its arguments would have no names',
    mayHoldSigns: true,
  },
  {
    name: 'user-invocable',
    property: 'userInvocable',
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
    property: 'disableModelInvocation',
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
    property: 'paths',
    type: 'patterns',
    none: '**',
    otherwise: none,
    default: 'none',
    asks: false,
    readers: 'activation',
    effect: 'when the skill becomes active; `**` alone is none',
    without: 'it would be active regardless of the files that are touched',
    mayHoldSigns: true,
  },
  {
    name: 'hooks',
    property: 'hooks',
    type: 'map',
    accepts: 'a map from event to matchers',
    wrong: 'ignored',
    default: 'none',
    asks: true,
    readers: 'hooks',
    effect: 'registered when it is invoked',
    without: 'its hooks would not run, those that forbid something among them',
  },
  {
    name: 'shell',
    property: 'shell',
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
    property: 'onShellError',
    type: 'word',
    choices: { abort: 'abort', inline: 'inline', skip: 'skip' },
    default: "the distribution's",
    asks: true,
    readers: 'expansion',
    effect: 'what a failing embedded command does',
    without: 'a command that fails would be taken in another way',
  },
  {
    name: 'requires',
    property: 'requires',
    type: 'names',
    accepts: 'a list of skill names, or a map of what it needs',
    otherwise: none,
    default: 'none',
    asks: false,
    readers: 'invocation, audit',
    effect: 'skills it builds on; of a map its `skills`, and what it needs: "Needs"',
    without: 'what it needs would not be looked for',
  },
  {
    name: 'aliases',
    property: 'aliases',
    type: 'names',
    accepts: 'a list of names',
    otherwise: none,
    default: 'none',
    asks: false,
    readers: 'lookup',
    effect: 'further names',
    without: 'it would not answer to its other names',
  },
  {
    name: 'version',
    property: 'version',
    type: 'note',
    default: 'none',
    asks: false,
    remote: true,
    readers: 'listing',
    effect: 'shown by tools',
    without: 'its version would not be known',
  },
  {
    name: 'license',
    property: 'license',
    type: 'note',
    default: 'none',
    standard: true,
    asks: false,
    remote: true,
    readers: 'listing',
    effect: 'shown by tools',
    misspellings: ['licence'],
  },
  {
    name: 'compatibility',
    property: 'compatibility',
    type: 'note',
    default: 'none',
    standard: true,
    asks: false,
    remote: true,
    readers: 'listing',
    effect: 'shown by tools',
    mayHoldSigns: true,
  },
  {
    name: 'metadata',
    property: 'metadata',
    type: 'map',
    accepts: 'a map',
    otherwise: inMetadata,
    default: 'none',
    standard: true,
    asks: false,
    remote: true,
    readers: 'hosts, audit',
    effect: 'kept, together with every key that is no field',
  },
] as const satisfies readonly Field[]

type Row = (typeof fieldTable)[number]

/** The name under which a field is documented and written. */
export type FieldName = Row['name']

/** The fields that have a length limit. */
export type LimitedField = Extract<Row, { readonly limit: number }>['name']

/**
 * The known fields of a skill, sparse: a key that the file does not set, or sets to null, is not there. `metadata` is
 * every key that is no known field, as written, together with the entries of the `metadata:` map. Nothing is lost:
 * where both have a key, the top-level one stands there and the whole map is kept under `metadata` besides, as is a
 * `metadata:` that is no map.
 */
export type SkillFields = { -readonly [One in Row as One['property']]?: FieldValue<One> } & {
  /** Values of fields that a host added, by name. */
  own?: Readonly<Record<string, unknown>>
}

/** Fields that a command answers in a way of its own. */
type Derived = 'name' | 'description' | 'aliases' | 'allowedTools' | 'disallowedTools'

/** What a command has of each other field: its value, or what holds without it. */
export type FieldGetters = {
  readonly [One in Row as Exclude<One['property'], Derived>]:
    | FieldValue<One>
    | (One extends { readonly otherwise: unknown } ? never : undefined)
}

/** The words of a type that has a row without its own. */
const accepted: Readonly<Partial<Record<Field['type'], string>>> = {
  tools: 'a list, a JSON array as text, or text separated by commas or spaces',
  boolean: 'true, false, yes, no, on, off, 1 or 0',
  names: 'a list of names, or names separated by commas or spaces',
  patterns: 'a list of patterns, or patterns separated by commas',
  effort: 'low, medium, high, xhigh, max or a positive whole number',
  map: 'a map',
}

/** What is accepted, as it completes "must be". */
export function acceptedBy({ accepts, type, choices = {} }: Pick<Field, 'accepts' | 'type' | 'choices'>): string {
  return (
    accepts ??
    accepted[type] ??
    (type === 'word'
      ? Object.keys(choices)
          .join(', ')
          .replace(/, (?=[^,]*$)/, ' or ')
      : 'text')
  )
}

/** Every key that is read as a field, the documented one first. */
export function keysOf({ name, aliases = [] }: Pick<Field, 'name' | 'aliases'>): readonly string[] {
  return [name, ...aliases]
}

/** A field that everyone knows. */
export type KnownField = Field & { readonly name: FieldName; readonly property: keyof SkillFields }

const known: ReadonlyMap<string, KnownField> = new Map(
  fieldTable.flatMap((field: KnownField) => keysOf(field).map((key): [string, KnownField] => [key, field])),
)

/** The field that a key is read as. */
export function fieldOf(key: string): KnownField | undefined {
  return known.get(key)
}
