// @ts-check
/** @typedef {import('../random.mjs').Random} Random */

const methods = [
  'tools/call',
  'tools/list',
  'prompts/get',
  'prompts/list',
  'resources/read',
  'resources/list',
  'skills/list',
  'skills/get',
  'resources/directory/read',
  'completion/complete',
  'initialize',
  'server/discover',
  'subscriptions/listen',
  'notifications/cancelled',
  'notifications/progress',
  'logging/setLevel',
  '__proto__',
  '',
]
const texts = [
  'echo',
  'asks',
  '',
  '\u0000',
  '../../etc/passwd',
  'skill://echo/../../x',
  'skill://echo/SKILL.md',
  '__proto__',
  '\u202e',
  'a'.repeat(5000),
]

/**
 * Makes a line that a broken or hostile client might send: a message with anything in it, or a part of one.
 * @param {Random} random
 */
export function randomLine(random) {
  const line = JSON.stringify({
    ...(random.below(8) > 0 && { jsonrpc: random.pick(['2.0', '2.0', '2.0', '1.0', 2]) }),
    // Never the id of the last question.
    ...(random.below(4) > 0 && { id: random.pick([random.below(1000), 'x', null, -1, 1.5, {}]) }),
    ...(random.below(10) > 0 && { method: random.pick(methods) }),
    ...(random.below(6) > 0 && { params: valueOf(random, 3) }),
    ...(random.below(20) === 0 && { result: valueOf(random, 2) }),
  })
  return random.below(10) === 0 ? line.slice(0, random.below(line.length)) : line
}

const keys = [
  'name',
  'arguments',
  'uri',
  'cursor',
  '_meta',
  'skill',
  'args',
  'query',
  'ref',
  'argument',
  'value',
  'requestId',
  'requestState',
  'inputResponses',
  'io.modelcontextprotocol/protocolVersion',
  '__proto__',
  'constructor',
]

/**
 * @param {Random} random
 * @param {number} depth
 * @returns {unknown}
 */
function valueOf(random, depth) {
  if (depth === 0 || random.below(3) === 0)
    return random.pick([random.pick(texts), random.pick(texts), random.below(1e6), null, true, -0.5, []])
  if (random.below(6) === 0) return Array.from({ length: random.below(4) }, () => valueOf(random, depth - 1))
  return Object.fromEntries(
    Array.from({ length: 1 + random.below(4) }, () => [random.pick(keys), valueOf(random, depth - 1)]),
  )
}
