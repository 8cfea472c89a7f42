import {
  decodeFacts,
  encodeFacts,
  isAmong,
  type IndexedRuns,
  type RunFacts,
  type RunFilter,
} from '@skills/runs/internal'
import type { Redis } from 'ioredis'

/**
 * Functions of scripts that keep the index of runs: a hash of facts, a hash of the numbers of entries that they were
 * computed from, and sorted sets by time. The last key is the beginning of their names.
 */
export const indexing = `
local index = KEYS[#KEYS]
local function places(text)
  local state, queued, ended, delivered, session, tenant =
    string.match(text, '^(%S+) (%S+) (%S*) (%d) (%S*) (%S*)$')
  local found = { { 'submitted', queued }, { 'state:' .. state, queued }, { 'session:' .. session, queued } }
  if delivered == '0' then table.insert(found, { 'undelivered:' .. session, queued }) end
  if ended ~= '' then table.insert(found, { 'ended', ended }) end
  if tenant ~= '' then table.insert(found, { 'tenant:' .. tenant, queued }) end
  return found
end
local function forget(ids)
  local texts, sets = redis.call('hmget', index .. 'facts', unpack(ids)), {}
  for at, id in ipairs(ids) do
    for _, place in ipairs(texts[at] and places(texts[at]) or {}) do
      sets[place[1]] = sets[place[1]] or {}
      table.insert(sets[place[1]], id)
    end
  end
  for set, members in pairs(sets) do redis.call('zrem', index .. set, unpack(members)) end
  redis.call('hdel', index .. 'facts', unpack(ids))
  redis.call('hdel', index .. 'counts', unpack(ids))
end
local function learn(id, count, text)
  if redis.call('hget', index .. 'facts', id) ~= text then
    forget({ id })
    for _, place in ipairs(places(text)) do redis.call('zadd', index .. place[1], place[2], id) end
    redis.call('hset', index .. 'facts', id, text)
  end
  redis.call('hset', index .. 'counts', id, count)
end
`

/** Puts facts into the index if the list has exactly this many lines. */
const learn = `${indexing}
if redis.call('llen', KEYS[1]) == tonumber(ARGV[1]) then learn(ARGV[2], ARGV[1], ARGV[3]) end`

/**
 * Returns the runs that are not in the index, or whose facts a worker of an earlier version has made out of date. It
 * writes to lists, to the set of ids and to the set of open runs only. If it removed as many runs as it submitted, those
 * that it submitted are found once they are open or the numbers differ.
 */
const unknownRuns = `${indexing}
local found, open = {}, {}
for _, state in ipairs({ 'queued', 'running', 'waiting', 'indeterminate' }) do
  for _, id in ipairs(redis.call('zrange', index .. 'state:' .. state, 0, -1)) do
    open[id] = true
    if redis.call('llen', KEYS[3] .. id) ~= tonumber(redis.call('hget', index .. 'counts', id)) then found[id] = true end
  end
end
for _, id in ipairs(redis.call('zrange', KEYS[2], 0, -1)) do if not open[id] then found[id] = true end end
if redis.call('scard', KEYS[1]) ~= redis.call('zcard', index .. 'submitted') then
  for _, id in ipairs(redis.call('zdiff', 2, KEYS[1], index .. 'submitted')) do found[id] = true end
  for _, id in ipairs(redis.call('zdiff', 2, index .. 'submitted', KEYS[1])) do
    found[id] = nil
    forget({ id })
  end
end
local ids = {}
for id in pairs(found) do table.insert(ids, id) end
return ids`

/**
 * Returns the runs that match a filter, and those whose facts are unknown.
 * @param key adds the prefix of the queue to a name
 */
export async function indexedRuns(
  redis: Redis,
  key: (name: string) => string,
  filter: RunFilter,
): Promise<IndexedRuns> {
  const keys = ['ids', 'open', 'journal:', 'index:'].map(key)
  const unknown = textsOf(await redis.call('eval', unknownRuns, keys.length, ...keys))
  const others = new Set(unknown)
  const known: string[] = []
  const { id = '', limit = Infinity } = filter
  for (const set of setsOf(filter)) {
    let room = limit
    for (let at = 0, more = batch; more === batch && room > 0; at += batch) {
      const before = set === 'ended' ? `(${filter.endedBefore}` : '+inf'
      const ids = await redis.zrevrangebyscore(key(`index:${set}`), before, '-inf', 'LIMIT', at, batch)
      more = ids.length
      const facts = more === 0 ? [] : await redis.hmget(key('index:facts'), ...ids)
      const found = ids.filter((one, place) => {
        const own = decodeFacts(facts[place] ?? '')
        return own !== undefined && one.startsWith(id) && !others.has(one) && isAmong(own, filter)
      })
      known.push(...found.slice(0, room))
      room -= found.length
    }
  }
  return { known, unknown: unknown.filter(one => one.startsWith(id)) }
}

/**
 * Puts facts into the index if the journal has exactly this many entries.
 * @param key adds the prefix of the queue to a name
 */
export async function learnFacts(
  redis: Redis,
  key: (name: string) => string,
  id: string,
  count: number,
  facts: RunFacts,
): Promise<void> {
  const keys = [`journal:${id}`, 'index:'].map(key)
  await redis.call('eval', learn, keys.length, ...keys, count, id, encodeFacts(facts))
}

/** Runs whose facts are read at a time. */
const batch = 1_000

/** Returns the texts of an answer of the server. */
export const textsOf = (found: unknown): readonly string[] => (Array.isArray(found) ? found.map(String) : [])

/** Returns the names of the sorted sets that have all runs of a filter, each newest first. */
function setsOf({ session, tenant, states, isDelivered, endedBefore, limit }: RunFilter): readonly string[] {
  if (session !== undefined) return [`${isDelivered === false ? 'undelivered' : 'session'}:${session}`]
  if (tenant !== undefined) return [`tenant:${tenant}`]
  if (endedBefore !== undefined && limit === undefined) return ['ended']
  return states === undefined ? ['submitted'] : [...new Set(states)].map(state => `state:${state}`)
}
