// @ts-check
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import process from 'node:process'
import { createInterface } from 'node:readline'

// Holds a whole conversation with one process of Claude Code: sends it one prompt after another, and plays its model by
// a script. It has to be started in a network namespace of its own, in which it brings up the loopback:  unshare --net
// -- node conversation.mjs PORT FILE BIN ARGS…  FILE has the steps, `[{ prompt, turns }]`; `turns` are lists of blocks
// that the model answers with, one a request, before it ends the turn with one word; `fork` are those of a fork. Standard output is one JSON value:
// for each step, the messages that the step added to the conversation, the requests of others, such as forks, and what
// the program printed if it asked no model.

/** @typedef {{ type: string, text?: string, name?: string, input?: object, content?: unknown, is_error?: boolean }} Block */
/** @typedef {{ role: string, content: string | readonly Block[] }} Message */
/** @typedef {{ prompt: string, turns?: readonly (readonly Block[])[], fork?: readonly (readonly Block[])[] }} Step */
/** @typedef {{ added: Message[], others: Other[], printed?: string }} Heard */
/** @typedef {{ messages: Message[], model: string, tools: string[] }} Other a request of another conversation, such as a fork's */

const [port = '', file = '', bin = '', ...args] = process.argv.slice(2)
/** @type {readonly Step[]} */
const steps = JSON.parse(readFileSync(file, 'utf8'))

/** Time for one prompt, also on a busy machine. */
const limitMs = 60_000

const done = /** @type {readonly Block[]} */ ([{ type: 'text', text: 'Done.' }])
const usage = { input_tokens: 1, output_tokens: 1 }
let count = 0

/** @param {readonly Block[]} blocks @returns {readonly { type: string, [about: string]: unknown }[]} */
function eventsFor(blocks) {
  count += 1
  const message = { type: 'message', id: `m${count}`, role: 'assistant', model: 'model', content: [], usage }
  const calls = blocks.some(({ type }) => type === 'tool_use')
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    ...blocks.flatMap((block, index) => {
      const isText = block.type === 'text'
      const start = isText ? { type: 'text', text: '' } : { ...block, id: `c${count}_${index}`, input: {} }
      const delta = isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
      return [
        { type: 'content_block_start', index, content_block: start },
        { type: 'content_block_delta', index, delta },
        { type: 'content_block_stop', index },
      ]
    }),
    { type: 'message_delta', delta: { stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
}

/** @type {Heard[]} */
const heard = []
/** @type {(readonly Block[])[]} */
let turns = []
/** @type {(readonly Block[])[]} */
let forkTurns = []
/** Messages of the conversation that earlier requests had. */
let known = 0
let asked = ''
/** The first message of the conversation: requests that begin in another way are those of forks and of side questions. */
let first = ''

/** @param {Message} message */
const opening = ({ content }) => {
  const text = typeof content === 'string' ? content : content.map(block => block.text ?? '').join('\n')
  return text.slice(0, 2000)
}

/**
 * @param {{ messages: Message[], model: string, tools?: readonly { name: string }[] }} request
 * @returns {readonly Block[]}
 */
function answerTo({ messages, model, tools = [] }) {
  const [begins] = messages
  const now = heard.at(-1)
  if (begins === undefined || tools.length === 0) return done
  if (first === '') first = opening(begins)
  if (opening(begins) !== first) {
    now?.others.push({ messages, model, tools: tools.map(({ name }) => name) })
    return forkTurns.shift() ?? done
  }
  now?.added.push(...messages.slice(known))
  known = messages.length
  return turns.shift() ?? done
}

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', part => (body += part))
  request.on('end', () => {
    if (!/\/messages(?:\?|$)/.test(request.url ?? '')) {
      response.writeHead(404).end('{}')
      return
    }
    const events = eventsFor(answerTo(JSON.parse(body)))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
  })
})

if (spawnSync('ip', ['link', 'set', 'lo', 'up']).status !== 0)
  throw new Error('`ip link set lo up` does not work here.')
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(bin, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const left = [...steps]
  // The program may end before it has read everything.
  child.stdin.on('error', () => {})
  const next = () => {
    const step = left.shift()
    if (step === undefined) {
      child.stdin.end()
      return
    }
    heard.push({ added: [], others: [] })
    asked = step.prompt
    turns = [...(step.turns ?? [])]
    forkTurns = [...(step.fork ?? [])]
    child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: step.prompt } })}\n`)
  }
  // A program that does not answer a prompt is ended: what was heard until then is printed.
  const end = () => child.kill('SIGKILL')
  let limit = setTimeout(end, limitMs)
  process.on('SIGTERM', end)
  createInterface({ input: child.stdout }).on('line', line => {
    const { type, result } = JSON.parse(line)
    if (type !== 'result') return
    const now = heard.at(-1)
    if (now?.added.length === 0) now.printed = `${result ?? ''}`
    // A shortened conversation begins anew, with the summary.
    if (asked.startsWith('/compact')) [first, known] = ['', 0]
    clearTimeout(limit)
    limit = setTimeout(end, limitMs)
    next()
  })
  child.on('close', code => {
    clearTimeout(limit)
    process.stdout.write(JSON.stringify(heard), () => process.exit(code ?? 1))
  })
  next()
})
