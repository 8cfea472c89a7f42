import { abortError, isAbortError, messageOf, type Command } from '@skills/core'
import { bodyOf } from './body-of.js'
import type { SearchableCommand } from './search-skills.js'

export interface UnreadBody {
  readonly name: string
  readonly path: string
  readonly problem: string
}

/** Reads that wait side by side. */
const atOnce = 8

/**
 * The bodies of those that have a file. What a server or a host would have to be asked for is left alone: a search must not make it do
 * anything.
 */
export async function readBodies(all: readonly SearchableCommand[], signal: AbortSignal = new AbortController().signal): Promise<{ readonly bodies: ReadonlyMap<Command, string>; readonly unread: readonly UnreadBody[] }> {
  const wanted = all.flatMap(({ name, command }) => command.type === 'prompt' && command.filePath !== undefined ? [{ name, command, path: command.filePath }] : [])
  const bodies = new Map<Command, string>()
  const problems = new Map<number, UnreadBody>()
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < wanted.length; at = next++) {
      if (signal.aborted) throw abortError(signal)
      const one = wanted[at]
      if (one === undefined) continue
      try {
        bodies.set(one.command, await bodyOf(one.command, signal))
      } catch (error) {
        if (isAbortError(error)) throw error
        problems.set(at, { name: one.name, path: one.path, problem: messageOf(error) })
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, wanted.length) }, work))
  return { bodies, unread: [...problems].sort(([a], [b]) => a - b).map(([, problem]) => problem) }
}
