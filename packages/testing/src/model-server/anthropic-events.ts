import type { ModelAnswer } from './answer.js'

/** Formats an answer as the events of Anthropic's Messages protocol. */
export function anthropicEvents({ text, calls = [] }: ModelAnswer, model: string): readonly string[] {
  const blocks = [
    ...(text === undefined
      ? []
      : [{ block: { type: 'text', text: '' }, deltas: words(text).map(word => ({ type: 'text_delta', text: word })) }]),
    ...calls.map(({ id, name, input }) => ({
      block: { type: 'tool_use', id, name, input: {} },
      deltas: halves(JSON.stringify(input)).map(half => ({ type: 'input_json_delta', partial_json: half })),
    })),
  ]
  return [
    event('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 100, output_tokens: 1 },
      },
    }),
    ...blocks.flatMap(({ block, deltas }, index) => [
      event('content_block_start', { index, content_block: block }),
      ...deltas.map(delta => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: 20 },
    }),
    event('message_stop', {}),
  ]
}

export function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}

/** Splits text into pieces, as a model streams it. */
export function words(text: string): readonly string[] {
  return text.match(/\S*\s*/g)?.filter(word => word !== '') ?? []
}

export function halves(text: string): readonly string[] {
  const middle = Math.floor(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
