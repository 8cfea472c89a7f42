import type { ModelRequest } from '@skills/testing/model-server'

/** Content of a request, in the same form for every protocol. */
export interface Said {
  readonly system: string
  /** Texts of the user and results of tools since the last answer of the model. */
  readonly news: readonly string[]
  /** All texts of the request. */
  readonly all: string
  /** Names of the tools. */
  readonly tools: readonly string[]
}

export function saidIn({ body }: ModelRequest): Said {
  const messages = list(body['messages'])
  const ofSystem = messages.filter(message => field(message, 'role') === 'system')
  const others = messages.filter(message => field(message, 'role') !== 'system')
  const last = others.findLastIndex(message => field(message, 'role') === 'assistant')
  return {
    system: [...textsOf(body['system']), ...ofSystem.flatMap(message => textsOf(field(message, 'content')))].join('\n'),
    news: others.slice(last + 1).flatMap(message => textsOf(field(message, 'content'))),
    all: others.flatMap(message => textsOf(field(message, 'content'))).join('\n'),
    tools: list(body['tools']).map(tool => String(field(tool, 'name') ?? field(field(tool, 'function'), 'name'))),
  }
}

function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  return list(content).flatMap(block =>
    field(block, 'type') === 'tool_result'
      ? textsOf(field(block, 'content'))
      : [field(block, 'text')].filter(text => typeof text === 'string'),
  )
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined
}
