import { expect, test } from 'vitest'
import { fileOptions, jsonSchema } from './json-schema.js'
import {
  check,
  count,
  either,
  flag,
  fn,
  list,
  milliseconds,
  number,
  object,
  oneOf,
  options,
  record,
  text,
  typed,
  variants,
  type StandardSchema,
} from './schema.js'

const shelf = options('shelf()', {
  folders: list(text()).default(['.claude']).inFiles(),
  wins: oneOf('first', 'last', 'none').default('first').inFiles(),
  limit: number({ above: 0, to: 1 }),
  most: number({ from: 1, isWhole: true }).inFiles(),
  rooms: record(flag()).inFiles(),
  suggest: object({ isShort: flag().default(true), kept: list(number()) }).default({}),
  room: text('a room such as a1', value => /^[a-z]\d$/.test(value)),
  tries: count({ orInfinity: true }),
  waitMs: milliseconds(),
  place: either(text(), object({ path: text().required(), depth: number() })).inFiles(),
  now: fn<() => number>(),
  store: typed<{ read(): string }>('a store', 'read'),
})

const strategies = variants(
  'format()',
  'strategy',
  { strategy: oneOf('fair').default('fair').inFiles(), budget: number(), floor: number().default(0.2).inFiles() },
  { strategy: oneOf('xml').inFiles().required(), joiner: oneOf('space', 'newline').default('space').inFiles() },
)

/** Schema as other libraries write it. */
const even: StandardSchema<number | undefined, string> = {
  '~standard': {
    version: 1,
    vendor: 'other',
    validate: given =>
      ((given ?? 0) as number) % 2 === 0
        ? { value: `${String(given ?? 0)} is even` }
        : { issues: [{ message: 'Not even.', path: [{ key: 'at' }, 0] }] },
  },
}

test('options are read with their defaults, also within others, and without what is undefined', () => {
  expect(shelf.read()).toEqual({ folders: ['.claude'], wins: 'first', suggest: { isShort: true } })
  const given = {
    folders: ['a'],
    wins: 'last',
    limit: 1,
    tries: Infinity,
    room: 'a1',
    most: undefined,
    other: undefined,
    suggest: { kept: [1] },
  }
  const read = shelf.read(given)
  expect(read).toEqual({
    folders: ['a'],
    wins: 'last',
    limit: 1,
    tries: Infinity,
    room: 'a1',
    suggest: { isShort: true, kept: [1] },
  })
  expect(Object.keys(read)).not.toContain('most')
  expect(read.folders).toBe(given.folders)
})

test.each([
  [{ foldrs: [] }, 'shelf() has no option "foldrs". Did you mean "folders"?'],
  [{ toString: 1 }, 'shelf() has no option "toString". It has folders, wins, limit, most, rooms, suggest'],
  [{ suggest: { isShrt: true } }, 'The option "suggest" of shelf() has no option "isShrt". Did you mean "isShort"?'],
  [{ folders: '.claude' }, 'The option "folders" of shelf() is ".claude". It must be a list, each text.'],
  [{ folders: ['.claude', 5] }, 'The option "folders[1]" of shelf() is 5. It must be text.'],
  [{ folders: null }, 'The option "folders" of shelf() is null. It must be a list, each text.'],
  [{ wins: 'lst' }, 'The option "wins" of shelf() is "lst". It must be first, last or none.'],
  [{ limit: 0 }, 'The option "limit" of shelf() is 0. It must be a number above 0 and at most 1.'],
  [{ limit: Number.NaN }, 'The option "limit" of shelf() is NaN.'],
  [{ most: 1.5 }, 'The option "most" of shelf() is 1.5. It must be a whole number of 1 or more.'],
  [{ room: 'b' }, 'The option "room" of shelf() is "b". It must be a room such as a1.'],
  [{ tries: 0 }, 'The option "tries" of shelf() is 0. It must be a whole number of 1 or more, or Infinity.'],
  [{ tries: 2 ** 53 }, 'The option "tries" of shelf() is 9007199254740992.'],
  [{ waitMs: Infinity }, 'The option "waitMs" of shelf() is Infinity. It must be a whole number from 1 to 2147483647.'],
  [{ rooms: { 'a b': 1 } }, 'The option "rooms.a b" of shelf() is 1. It must be true or false.'],
  [{ rooms: [] }, 'The option "rooms" of shelf() is a list. It must be an object.'],
  [{ place: {} }, 'The option "place.path" of shelf() is missing. It must be text.'],
  [{ place: 5 }, 'The option "place" of shelf() is 5. It must be text, or an object.'],
  [{ now: 5 }, 'The option "now" of shelf() is 5. It must be a function.'],
  [{ store: { write: 1 } }, 'The option "store" of shelf() is an object. It must be a store.'],
  [[], 'The options of shelf() are a list. Give an object.'],
  [null, 'The options of shelf() are null. Give an object.'],
])('%j is refused by name', (given, message) => {
  expect(() => shelf.read(given)).toThrow(
    expect.objectContaining({ code: 'E_INVALID_OPTION', message: expect.stringContaining(message) as string }),
  )
})

test('whose options they are may be known only when they are read', () => {
  expect(() => shelf.read({ most: '1' }, 'room()')).toThrow(
    expect.objectContaining({ code: 'E_INVALID_OPTION', message: expect.stringContaining('"most" of room() is "1".') }),
  )
})

test('of several shapes that one counts whose word was given, or needs none', () => {
  expect(strategies.read({})).toEqual({ strategy: 'fair', floor: 0.2 })
  expect(strategies.read({ strategy: 'xml' })).toEqual({ strategy: 'xml', joiner: 'space' })
  expect(() => strategies.read({ joiner: 'space' })).toThrow(
    expect.objectContaining({
      code: 'E_INVALID_OPTION',
      message: expect.stringMatching(/^format\(\) .*"fair" .*"joiner"/),
    }),
  )
  expect(() => strategies.read({ strategy: 'far' })).toThrow(
    'The option "strategy" of format() is "far". It must be fair, xml.',
  )
})

test('a schema of another library checks, gives its value, and its default', () => {
  const foreign = options('x()', { even, some: list(even) })
  expect(foreign.read({ some: [2] })).toEqual({ even: '0 is even', some: ['2 is even'] })
  expect(() => foreign.read({ some: [2, 3] })).toThrow(
    expect.objectContaining({ code: 'E_INVALID_OPTION', message: expect.stringContaining('"some[1].at[0]" of x() ') }),
  )
  const late = options('y()', {
    at: { '~standard': { version: 1, vendor: 'other', validate: async given => ({ value: given }) } },
  })
  expect(() => late.read()).toThrow('The schema of an option is asynchronous. Give a synchronous schema.')
})

test('ours are standard schemas, for those who take such', () => {
  const { version, validate } = shelf['~standard']
  expect(version).toBe(1)
  expect(validate({ wins: 'last' })).toEqual({
    value: { folders: ['.claude'], wins: 'last', suggest: { isShort: true } },
  })
  expect(validate({ wins: 5, othr: 1 })).toEqual({
    issues: [
      {
        message: 'is not an option',
        path: ['othr'],
        known: expect.arrayContaining(['wins']) as unknown,
        nested: { suggest: expect.arrayContaining(['isShort']) as unknown },
      },
      { message: 'must be first, last or none', path: ['wins'] },
    ],
  })
})

test('an option that belongs inside another one is shown there', () => {
  const room = options('open()', {
    homes: list(text()),
    host: object({ cwd: text(), home: text(), limits: object({ files: count() }) }),
  })
  expect(() => room.read({ cwd: '/', home: '/' })).toThrow(
    'open() has no option "cwd". Did you mean "host: { cwd, home }"?',
  )
  // An exact name inside comes before one beside it that is only close.
  expect(() => room.read({ home: '/' })).toThrow('Did you mean "host: { home }"?')
  expect(() => room.read({ cwdd: '/' })).toThrow('Did you mean "host: { cwd }"?')
  expect(() => room.read({ hosst: {} })).toThrow('Did you mean "host"?')
  expect(() => room.read({ host: { files: 1 } })).toThrow(
    'The option "host" of open() has no option "files". Did you mean "limits: { files }"?',
  )
})

test('all that is wrong is told, with the rest of the value', () => {
  const { value: rest, issues } = check(shelf, { most: 2, limit: 5, othr: 1 })
  expect(rest).toMatchObject({ most: 2 })
  expect(issues.map(({ path }) => path)).toEqual([['othr'], ['limit']])
})

test('the JSON Schema of what a configuration file may set has no functions', () => {
  const files = fileOptions(shelf)
  expect(jsonSchema(files)).toEqual({
    type: 'object',
    properties: {
      folders: { type: 'array', items: { type: 'string' } },
      wins: { enum: ['first', 'last', 'none'] },
      most: { type: 'integer', minimum: 1 },
      rooms: { type: 'object', additionalProperties: { type: 'boolean' } },
      place: {
        anyOf: [
          { type: 'string' },
          {
            type: 'object',
            properties: { path: { type: 'string' }, depth: { type: 'number' } },
            required: ['path'],
            additionalProperties: false,
          },
        ],
      },
    },
    additionalProperties: false,
  })
  expect(check(files, { wins: 'last' })).toEqual({ value: { wins: 'last' }, issues: [] })
  expect(check(files, { now: 1 }).issues).toMatchObject([{ message: 'is not an option', path: ['now'] }])
  expect(jsonSchema(shelf)).toMatchObject({ properties: { folders: { default: ['.claude'] } } })
  expect(jsonSchema(shelf)).not.toHaveProperty('properties.now')
})

test('a file may set what any of several shapes has', () => {
  expect(jsonSchema(fileOptions(strategies))).toEqual({
    type: 'object',
    properties: {
      strategy: { anyOf: [{ enum: ['fair'] }, { enum: ['xml'] }] },
      floor: { type: 'number' },
      joiner: { enum: ['space', 'newline'] },
    },
    additionalProperties: false,
  })
})
