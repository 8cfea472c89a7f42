import { halves, words } from './anthropic-events.js'
import type { Answer } from './model-server.js'

/** An answer as the events of OpenAI's chat protocol. */
export function openaiEvents({ text = '', calls = [] }: Answer, model: string): readonly string[] {
  const choice = (delta: object, finish_reason: string | null = null): object => ({
    choices: [{ index: 0, delta, finish_reason }],
  })
  const chunks = [
    choice({ role: 'assistant', content: '' }),
    ...words(text).map(content => choice({ content })),
    ...calls.flatMap(({ id, name, input }, index) => [
      choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...halves(JSON.stringify(input)).map(half => choice({ tool_calls: [{ index, function: { arguments: half } }] })),
    ]),
    choice({}, calls.length === 0 ? 'stop' : 'tool_calls'),
    { choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } },
  ]
  return [
    ...chunks.map(chunk => data({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model, ...chunk })),
    'data: [DONE]\n\n',
  ]
}

export function data(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
