import type { JsonPlace, JsonReader } from './json-reader.js'

/** A kind of assertion, such as `contains`: what its value is, and how a report says it. */
interface AssertionKind<Value, Given = Value> {
  /** Value in `evals.json`, by the definitions of `evals.schema.json`. */
  readonly schema: Readonly<Record<string, string>>
  /** Reads the value, or says what is wrong with it and gives undefined. */
  readonly read: (reader: JsonReader, place: JsonPlace) => Value | undefined
  /** Says the assertion in words; `whose` is the file it is about, or the model's last answer. */
  readonly says: (value: Given, whose: string) => string
  /** Permission rule that a person has to agree to before it is checked. */
  readonly needs?: (value: Given) => string
}

const text = {
  schema: { $ref: '#/definitions/text' },
  read: (reader: JsonReader, place: JsonPlace) => reader.text(place),
}

/**
 * Kinds of assertion about a text, which is a file of the workspace or the model's last answer. `assertions.ts` has the
 * check of each kind.
 */
export const textKinds = {
  contains: { ...text, says: (part: string, whose: string) => `${whose} contains ${JSON.stringify(part)}` },
  matches: {
    ...text,
    read: (reader: JsonReader, place: JsonPlace) => {
      const found = reader.text(place)
      return found === undefined || isExpression(found) ? found : reader.wrong(place, 'must be a regular expression')
    },
    says: (expression: string, whose: string) => `${whose} matches /${expression}/`,
  },
  schema: {
    schema: { type: 'object' },
    read: (reader: JsonReader, place: JsonPlace): unknown =>
      place.node.type === 'object' ? reader.value(place) : reader.wrong(place, 'must be a JSON Schema, an object'),
    says: (_schema: unknown, whose: string) => `${whose} follows its JSON Schema`,
  },
} satisfies Readonly<Record<string, AssertionKind<unknown, never>>>

/** Kinds of assertion about the state at the end of a trial. `assertions.ts` has the check of each kind. */
export const trialKinds = {
  /** Line of a shell that ends with 0 in the workspace. */
  command: { ...text, says: (line: string) => `runs ${line}`, needs: (line: string) => `Bash(${line})` },
  /** Statement that a model judges. */
  judge: { ...text, says: (statement: string) => statement },
} satisfies Readonly<Record<string, AssertionKind<unknown, never>>>

export type TextValues = { readonly [K in keyof typeof textKinds]: ValueOf<(typeof textKinds)[K]> }
export type TrialValues = { readonly [K in keyof typeof trialKinds]: ValueOf<(typeof trialKinds)[K]> }

type ValueOf<K> = K extends { readonly read: (...given: never[]) => infer V } ? Exclude<V, undefined> : never

/** Returns the JSON Schema of an assertion, for `evals.schema.json`. */
export function assertionSchema(): object {
  const shapes = (kinds: Readonly<Record<string, { readonly schema: object }>>) =>
    Object.fromEntries(Object.entries(kinds).map(([name, { schema }]) => [name, schema]))
  return {
    oneOf: [
      { $ref: '#/definitions/text' },
      {
        type: 'object',
        additionalProperties: false,
        required: ['file'],
        properties: {
          $comment: {},
          file: { $ref: '#/definitions/path' },
          absent: { type: 'boolean' },
          ...shapes(textKinds),
        },
      },
      {
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        properties: { $comment: {}, ...shapes(textKinds), ...shapes(trialKinds) },
        maxProperties: 2,
      },
    ],
  }
}

function isExpression(given: string): boolean {
  try {
    return new RegExp(given, 'm') instanceof RegExp
  } catch {
    // The answer: it is not a regular expression.
    return false
  }
}
