import { StringDecoder } from 'node:string_decoder'
import type { RunProgress, RunResult, RunUsage } from '@skills/invocation'

/** Content of one line that a program printed. */
export interface LineNews {
  /** Message of the assistant. The last one is the result, unless a line has a `result`. */
  readonly says?: string | undefined
  /** Result of the run. */
  readonly result?: string | undefined
  readonly usage?: RunUsage | undefined
  readonly progress?: RunProgress | undefined
  /** Reason of a failure, as a sentence. */
  readonly error?: string | undefined
}

/** Reads a line that is JSON. Returns undefined for a line without relevant content. */
export type ReadLine = (line: unknown) => LineNews | undefined

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the lines that command-line agents print: `text`, `tool`, `step`, `usage`, `result` and `error`, and whole
 * messages (`assistant`), as some agents print them. See docs/reference/forks.md, "Runners".
 */
export const readAgentLine: ReadLine = line => {
  if (!isFields(line)) return undefined
  const { type } = line
  switch (type) {
    case 'text':
      return saying(textIn(line))
    case 'assistant':
      return assistantNews(line)
    case 'tool':
      return {
        progress: {
          type: 'tool',
          tool: text(line['tool']) ?? text(line['name']) ?? '',
          content: text(line['content']) ?? '',
        },
      }
    case 'step':
      return typeof line['steps'] === 'number' ? { progress: { type: 'step', steps: line['steps'] } } : undefined
    case 'usage':
      return { usage: usageIn(line) }
    case 'error':
      return { error: text(line['message']) ?? text(line['error']) ?? 'It gave no reason.' }
    case 'result': {
      const result = text(line['result']) ?? text(line['text'])
      const usage = { ...usageIn(line), ...(isFields(line['usage']) && usageIn(line['usage'])) }
      return line['is_error'] === true
        ? { error: result ?? text(line['subtype']) ?? 'It gave no reason.', usage }
        : { result, usage }
    }
    default:
      return undefined
  }
}

function saying(says: string | undefined): LineNews | undefined {
  return says === undefined ? undefined : { says, progress: { type: 'text', text: says } }
}

/** Reads a whole message with its texts and tool calls. */
function assistantNews({ message, text: own }: Fields): LineNews | undefined {
  const content = isFields(message) ? message['content'] : own
  if (typeof content === 'string') return saying(content)
  if (!Array.isArray(content)) return undefined
  const parts = content.filter(isFields)
  const says = parts.flatMap(part => (part['type'] === 'text' ? (text(part['text']) ?? []) : [])).join('')
  if (says !== '') return saying(says)
  const call = parts.find(part => part['type'] === 'tool_use')
  return call === undefined
    ? undefined
    : { progress: { type: 'tool', tool: text(call['name']) ?? '', content: JSON.stringify(call['input']) ?? '' } }
}

function usageIn(fields: Fields): RunUsage {
  const number = (...keys: readonly string[]): number | undefined =>
    keys.map(key => fields[key]).find(value => typeof value === 'number' && Number.isFinite(value) && value >= 0) as
      | number
      | undefined
  const usage = {
    inputTokens: number('inputTokens', 'input_tokens'),
    outputTokens: number('outputTokens', 'output_tokens'),
    steps: number('steps', 'num_turns'),
    ms: number('ms', 'duration_ms'),
  }
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined))
}

function textIn({ text: own, content }: Fields): string | undefined {
  return text(own) ?? text(content)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Combines the lines of a program to a result. */
export class LineReader {
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #said = ''
  #result: string | undefined
  #usage: RunUsage | undefined
  error: string | undefined
  /** Number of lines that are not JSON, and the first of them. */
  broken = 0
  firstBroken = ''

  constructor(
    private readonly read: ReadLine,
    private readonly progress: (event: RunProgress) => void,
  ) {}

  take(chunk: Buffer): void {
    const [first = '', ...lines] = this.#decoder.write(chunk).split('\n')
    this.#rest += first
    for (const line of lines) {
      this.#take(this.#rest)
      this.#rest = line
    }
  }

  /** Returns the result of all lines. */
  end(): RunResult {
    this.#take(this.#rest + this.#decoder.end())
    this.#rest = ''
    return { text: this.#result ?? this.#said, ...(this.#usage !== undefined && { usage: this.#usage }) }
  }

  #take(line: string): void {
    if (line.trim() === '') return
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      // Counted, and reported at the end: stray log lines of a program must not cost its result.
      if (this.broken === 0) this.firstBroken = line.slice(0, 200)
      this.broken += 1
      return
    }
    const { says, result, usage, progress, error } = this.read(value) ?? {}
    if (says !== undefined) this.#said = says
    if (result !== undefined) this.#result = result
    if (usage !== undefined) this.#usage = { ...this.#usage, ...usage }
    if (error !== undefined) this.error ??= error
    if (progress !== undefined) this.progress(progress)
  }
}
