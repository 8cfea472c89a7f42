// @ts-check
import { chatWith, skills } from './chat.mjs'

/** Stands for a model: it repeats the last text that it was sent. */
const POST = chatWith({
  specificationVersion: 'v3',
  provider: 'none',
  modelId: 'repeats',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('A chat is a stream.')),
  doStream: async ({ prompt }) => ({ stream: streamOf(lastTextOf(prompt)) }),
})

/**
 * @param {string} login
 * @param {string} text
 */
async function send(login, text) {
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text }] }
  const response = await POST(
    new Request('http://localhost/api/chat', {
      method: 'POST',
      headers: { authorization: login, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'chat-1', trigger: 'submit-message', messages: [message] }),
    }),
  )
  const body = await response.text()
  const deltas = Array.from(body.matchAll(/"delta":("[^]*?[^\\]")/g), ([, delta = '""']) => JSON.parse(delta))
  console.log(`${response.status}: ${response.ok ? deltas.join('') : body}`)
}

await send('Bearer ann-1', '/release-notes 2.1')
await send('Bearer ben-2', 'The same chat id, another person.')
await send('nobody', 'Hello.')
await skills.close()

/** @param {readonly { role: string, content: string | readonly object[] }[]} prompt */
function lastTextOf(prompt) {
  const { content } = prompt.findLast(({ role }) => role === 'user') ?? { content: '' }
  return typeof content === 'string' ? content : content.map(part => ('text' in part ? String(part.text) : '')).join('')
}

/**
 * @param {string} text
 * @returns {ReadableStream}
 */
function streamOf(text) {
  return new ReadableStream({
    start(stream) {
      stream.enqueue({ type: 'text-start', id: 't' })
      stream.enqueue({ type: 'text-delta', id: 't', delta: text })
      stream.enqueue({ type: 'text-end', id: 't' })
      stream.enqueue({
        type: 'finish',
        finishReason: { unified: 'stop' },
        usage: { inputTokens: {}, outputTokens: {} },
      })
      stream.close()
    },
  })
}
