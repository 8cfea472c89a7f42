// @ts-check
import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import process from 'node:process'

// Runs a program beside a model that ends every turn with one word, and prints the program's requests to it. It has to
// be started in a network namespace of its own, in which it brings up the loopback:  unshare --net -- node model.mjs
// PORT BIN ARGS…  Standard output is one JSON value, `{ printed, requests }`: the output of the program, and the bodies
// of its requests. It ends with the exit code of the program.

const [port = '', bin = '', ...args] = process.argv.slice(2)

/**
 * The calls that the model makes before its word, one a turn: a tool, by the end of its name, with one input or several.
 * @type {{ tool: string, input?: object, inputs?: readonly object[] } | undefined}
 */
const wanted = JSON.parse(process.env['RECORD_MODEL_CALLS'] ?? 'null') ?? undefined

const inputs = wanted === undefined ? [] : (wanted.inputs ?? [wanted.input ?? {}])
/** Number of calls that were made. */
let called = 0

const text = 'Done.'
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
const message = { type: 'message', id: 'm1', role: 'assistant', model: 'model' }

/**
 * The shortest complete turn in each API that programs use, by their addresses.
 * @type {readonly (readonly [address: RegExp, events: readonly object[]])[]}
 */
const turns = [
  [
    /\/messages(?:\?|$)/,
    [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ],
  ],
  [
    /\/responses(?:\?|$)/,
    [
      { type: 'response.created', response: { id: 'r1' } },
      { type: 'response.output_item.done', item: { ...message, content: [{ type: 'output_text', text }] } },
      { type: 'response.completed', response: { id: 'r1', usage } },
    ],
  ],
  [
    /\/chat\/completions(?:\?|$)/,
    [
      { choices: [{ index: 0, delta: { role: 'assistant', content: text } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ],
  ],
  [
    /:streamGenerateContent(?:\?|$)/,
    [{ candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }] }],
  ],
]

/**
 * The call of a tool in each of these APIs.
 * @type {readonly (readonly [address: RegExp, events: (name: string, namespace: string | undefined) => readonly object[]])[]}
 */
const calls = [
  [
    /\/messages(?:\?|$)/,
    name => [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: `c${called}`, name, input: {} } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(inputs[called]) },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ],
  ],
  [
    /\/responses(?:\?|$)/,
    (name, namespace) => [
      { type: 'response.created', response: { id: 'r0' } },
      {
        type: 'response.output_item.done',
        item: {
          type: 'function_call',
          id: `f${called}`,
          call_id: `c${called}`,
          name,
          ...(namespace !== undefined && { namespace }),
          arguments: JSON.stringify(inputs[called]),
        },
      },
      { type: 'response.completed', response: { id: 'r0', usage } },
    ],
  ],
  [
    /\/chat\/completions(?:\?|$)/,
    name => {
      const call = {
        index: 0,
        id: `c${called}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(inputs[called]) },
      }
      return [
        { choices: [{ index: 0, delta: { role: 'assistant', tool_calls: [call] } }] },
        { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      ]
    },
  ],
  [
    /:streamGenerateContent(?:\?|$)/,
    name => [
      {
        candidates: [
          {
            content: { role: 'model', parts: [{ functionCall: { name, args: inputs[called] } }] },
            finishReason: 'STOP',
          },
        ],
      },
    ],
  ],
]

/**
 * Finds the tool that is to be called, by the name that it has in a program's request; undefined if it is not there.
 * @param {unknown} value @param {string} [namespace] @returns {{ name: string, namespace: string | undefined } | undefined}
 */
function toolIn(value, namespace) {
  if (typeof value !== 'object' || value === null || wanted === undefined) return undefined
  const { name, tools } = /** @type {{ name?: unknown, tools?: unknown }} */ (value)
  const full = `${namespace ?? ''}${typeof name === 'string' ? name : ''}`
  if (full.endsWith(wanted.tool) && tools === undefined) return { name: String(name), namespace }
  const inner = Array.isArray(tools) && typeof name === 'string' ? name : namespace
  for (const one of Object.values(value)) {
    const found = toolIn(one, inner)
    if (found !== undefined) return found
  }
  return undefined
}

/** @param {string} address @param {string} body @returns {readonly object[] | undefined} */
function turnFor(address, body) {
  const { tools } = called < inputs.length ? JSON.parse(body) : { tools: undefined }
  const tool = toolIn(tools)
  if (tool === undefined) return turns.find(([form]) => form.test(address))?.[1]
  const events = calls.find(([form]) => form.test(address))?.[1](tool.name, tool.namespace)
  called += 1
  return events
}

/** @type {string[]} */
const requests = []
const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', part => (body += part))
  request.on('end', () => {
    const events = turnFor(request.url ?? '', body)
    // Other requests of a program are not answered.
    if (events === undefined) {
      response.writeHead(404).end('{}')
      return
    }
    requests.push(body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const lines = events.map(event => {
      const name = 'type' in event ? `event: ${event.type}\n` : ''
      return `${name}data: ${JSON.stringify(event)}\n\n`
    })
    response.end(lines.join(''))
  })
})

if (spawnSync('ip', ['link', 'set', 'lo', 'up']).status !== 0)
  throw new Error('`ip link set lo up` does not work here.')
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(bin, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', part => (printed += part))
  child.on('close', code => {
    process.stdout.write(JSON.stringify({ printed, requests }), () => process.exit(code ?? 1))
  })
})
