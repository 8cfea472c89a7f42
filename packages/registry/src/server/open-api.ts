/** Parameters of a query, each with its schema. */
export const parameters = {
  q: { type: 'string', description: 'Words to search for' },
  limit: { type: 'integer', minimum: 1, maximum: 200, default: 20, description: 'Most skills of the answer' },
  after: { type: 'string', description: 'Value of next of the page before' },
  namespace: { type: 'string', description: 'Only skills of this namespace' },
} as const

/** Route as the document describes it. */
export interface Described {
  readonly method: 'GET'
  /** Path with the names of its parts in braces. */
  readonly path: string
  readonly id: string
  readonly text: string
  readonly query?: readonly (keyof typeof parameters)[]
  /** Name of the schema of the answer, or its media type. */
  readonly answers: string
}

const text = { type: 'string' }
const flag = { type: 'boolean' }
const count = { type: 'integer', minimum: 0 }
const list = (items: object) => ({ type: 'array', items })
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** @param required names of the properties that are always there */
const object = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const digest = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' }
const brief = {
  namespace: text,
  name: text,
  digest: { ...digest, description: 'Digest of all files' },
  label: { ...text, description: 'Version for people, such as 1.2.0' },
  description: text,
  publisher: { ...text, description: 'Who published it' },
  publishedAt: { type: 'string', format: 'date-time' },
  isYanked: { ...flag, description: 'True if no one gets it who does not ask for its digest, label or tag' },
  tags: list(text),
}
const always = ['namespace', 'name', 'digest', 'description', 'publishedAt', 'isYanked', 'tags']
const file = { path: text, digest: { type: 'string', pattern: '^[0-9a-f]{64}$' }, isExecutable: flag, bytes: count }
const finding = object({ level: text, code: text, message: text, path: text, line: count, text }, [
  'level',
  'code',
  'message',
])

const schemas = {
  Error: object({ error: object({ code: text, message: text, hint: text }, ['code', 'message']) }),
  Health: object({ status: { const: 'ok' }, skills: count }),
  Brief: object(brief, always),
  Version: object(
    {
      ...brief,
      files: list(object(file)),
      powers: {
        ...object({ level: text, findings: list({ ...finding, additionalProperties: true }) }, ['findings']),
        description: 'What its audit found that it can do',
      },
      provenance: {
        ...object({ source: text, resolved: { type: 'object' }, path: text }, ['source']),
        description: 'Place that it came from',
      },
    },
    [...always, 'files'],
  ),
  Skill: object({ namespace: text, name: text, latest: named('Version'), versions: list(named('Brief')) }, [
    'namespace',
    'name',
    'versions',
  ]),
  Page: object({ skills: list(named('Brief')), next: text }, ['skills']),
  Found: object({ query: text, results: list(object({ score: { type: 'number' }, ...brief }, ['score', ...always])) }),
  Index: object({
    $schema: text,
    skills: list(object({ name: text, type: { enum: ['skill-md', 'archive'] }, description: text, url: text, digest })),
  }),
}

/** Returns the OpenAPI document of the routes. */
export function openApi(routes: readonly Described[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route)
  return { openapi: '3.1.0', info: { title: 'Registry of skills', version: '1' }, paths, components: { schemas } }
}

function operation({ id, text: summary, path, query = [], answers }: Described): object {
  const parts = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
  const isSchema = Object.hasOwn(schemas, answers)
  return {
    operationId: id,
    summary,
    parameters: [
      ...parts.map(name => ({ name, in: 'path', required: true, schema: text })),
      ...query.map(name => ({ name, in: 'query', required: name === 'q', schema: parameters[name] })),
    ],
    responses: {
      200: {
        description: summary,
        content: isSchema ? { 'application/json': { schema: named(answers) } } : { [answers]: {} },
      },
      304: { description: 'The client has it already.' },
      default: { description: 'Refused or failed', content: { 'application/json': { schema: named('Error') } } },
    },
  }
}
