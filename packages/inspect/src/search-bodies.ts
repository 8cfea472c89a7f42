import { abortError, isAbortError, messageOf } from '@skills/core'
import { bodyOf } from './body-of.js'
import type { SearchableCommand } from './searchable-command.js'

export interface UnreadBody {
  readonly name: string
  readonly path: string
  readonly problem: string
}

/** Number of files read at the same time, and so of bodies held in memory. */
const atOnce = 8

/**
 * Yields the body of each command in turn. Yields undefined for a command without a file, and for a file that cannot be
 * read. A search requests no body from a server or a host, because it must not make them do anything. A body is not
 * kept after the next one is requested.
 * @param onUnread called in order for each body that cannot be read
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
      // Each read is awaited in its turn below. This keeps an earlier failure from being unhandled.
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
