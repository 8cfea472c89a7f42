import { halves, words } from './anthropic-events.js'
import type { ModelAnswer } from './answer.js'

/** Formats an answer as the events of OpenAI's chat protocol. */
export function openaiEvents(
  { text = '', calls = [] }: ModelAnswer,
  model: string,
  id = 'chatcmpl-1',
): readonly string[] {
  const choice = (delta: object, finish_reason: string | null = null): object => ({
    choices: [{ index: 0, delta, finish_reason }],
  })
  const chunks = [
    choice({ role: 'assistant', content: '' }),
    ...words(text).map(content => choice({ content })),
    ...calls.flatMap(({ id: callId, name, input }, index) => [
      choice({ tool_calls: [{ index, id: callId, type: 'function', function: { name, arguments: '' } }] }),
      ...halves(JSON.stringify(input)).map(half => choice({ tool_calls: [{ index, function: { arguments: half } }] })),
    ]),
    choice({}, calls.length === 0 ? 'stop' : 'tool_calls'),
    { choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } },
  ]
  return [
    ...chunks.map(chunk => data({ id, object: 'chat.completion.chunk', created: 0, model, ...chunk })),
    'data: [DONE]\n\n',
  ]
}

/** Formats an answer of OpenAI's chat protocol that is not streamed. */
export function openaiCompletion({ text = '', calls = [] }: ModelAnswer, model: string, id: string): object {
  const tool_calls = calls.map(call => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }))
  return {
    id,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls }) },
        finish_reason: calls.length === 0 ? 'stop' : 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  }
}

export function data(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
