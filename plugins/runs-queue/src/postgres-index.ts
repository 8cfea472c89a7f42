import type { RunFacts, RunFilter } from '@skills/runs/internal'

/** Statement with its values. */
interface Statement {
  readonly text: string
  readonly values: unknown[]
}

/** Columns of the facts of a run. */
export const factColumns = 'state, session, tenant, submitted_at, ended_at, is_delivered'

/** Returns the values for {@link factColumns}, all null for unknown facts. */
export const factValues = (facts: RunFacts | undefined): readonly unknown[] => [
  facts?.state,
  facts?.session,
  facts?.tenant,
  facts?.queuedAt,
  facts?.endedAt,
  facts?.isDelivered,
]

/** Returns the parameters for {@link factColumns}, from this number on. */
export const factsFrom = (first: number): string =>
  ['text', 'text', 'text', 'float8', 'float8', 'bool'].map((type, at) => `$${first + at}::${type}`).join(', ')

/**
 * Makes the statement that returns the runs that match a filter, and those whose facts are unknown.
 * @param schema name in quotes
 */
export function findingRuns(schema: string, filter: RunFilter): Statement {
  const { id, session, states, tenant, isDelivered, endedBefore, limit } = filter
  const values: unknown[] = []
  const given = (value: unknown): string => `$${values.push(value)}`
  // The expressions of the partial indexes.
  const conditions = [
    'state is not null',
    ...(id === undefined ? [] : [`starts_with(id, ${given(id)})`]),
    ...(session === undefined ? [] : [`session = ${given(session)}`]),
    ...(states === undefined ? [] : [`state = any(${given(states)}::text[])`]),
    ...(tenant === undefined ? [] : [`tenant = ${given(tenant)}`]),
    ...(isDelivered === undefined ? [] : [isDelivered ? 'is_delivered' : 'not is_delivered']),
    ...(endedBefore === undefined ? [] : [`ended_at < ${given(endedBefore)}`]),
  ]
  const text = `(select id, true as known from ${schema}.run where ${conditions.join(' and ')}
    order by submitted_at desc ${limit === undefined ? '' : `limit ${given(limit)}`})
    union all select id, false from ${schema}.run where state is null
    ${id === undefined ? '' : `and starts_with(id, ${given(id)})`}`
  return { text, values }
}

/**
 * Makes the statement that writes the facts of a run if it has exactly this many entries.
 * @param schema name in quotes
 */
export function learningFacts(schema: string, id: string, count: number, facts: RunFacts): Statement {
  const text = `update ${schema}.run set facts_at = $2, (${factColumns}) = row (${factsFrom(3)})
    where id = $1 and entries = $2 and state is null`
  return { text, values: [id, count, ...factValues(facts)] }
}
