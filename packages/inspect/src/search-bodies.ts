import { abortError, isAbortError, messageOf } from '@skills/core'
import { bodyOf } from './body-of.js'
import type { SearchableCommand } from './searchable-command.js'

export interface UnreadBody {
  readonly name: string
  readonly path: string
  readonly problem: string
}

/** Reads that wait side by side, and so the bodies that are held at one time. */
const atOnce = 8

/**
 * The body of each in turn; undefined for those without a file, and those that cannot be read. What a server or a host
 * would have to be asked for is left alone: a search must not make it do anything. None is held once the next is asked
 * for.
 * @param onUnread told of those that cannot be read, in order
 */
export async function* bodiesOf(
  all: readonly SearchableCommand[],
  onUnread: (body: UnreadBody) => void,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<string | undefined, void, undefined> {
  const ahead: Promise<string | UnreadBody | undefined>[] = []
  let begun = 0
  for (const at of all.keys()) {
    for (; begun < Math.min(at + atOnce, all.length); begun++) {
      const one = read(all[begun], signal)
      // Each read is awaited in its turn, below; this keeps an earlier failure from being unhandled.
      one.catch(() => {})
      ahead.push(one)
    }
    const body = await ahead.shift()
    if (typeof body === 'object') onUnread(body)
    yield typeof body === 'string' ? body : undefined
  }
}

async function read(one: SearchableCommand | undefined, signal: AbortSignal): Promise<string | UnreadBody | undefined> {
  if (one?.command.type !== 'prompt' || one.command.filePath === undefined) return undefined
  const {
    name,
    command,
    command: { filePath: path },
  } = one
  if (signal.aborted) throw abortError(signal)
  try {
    return await bodyOf(command, signal)
  } catch (error) {
    if (isAbortError(error)) throw error
    return { name, path, problem: messageOf(error) }
  }
}
