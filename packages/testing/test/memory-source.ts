import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  defineProvider,
  loadResult,
  SkillsError,
  type Diagnostic,
  type PromptCommand,
  type Provider,
  type SetupContext,
  type Source,
  type SourceCall,
} from '@skills/core'
import type { MemoryStore } from './memory-store.js'

/**
 * Makes a source over a store in memory that keeps every rule.
 * @param turnAfter number of skills to list before it yields to the event loop
 */
export function memorySource(store: MemoryStore, { turnAfter = 100 } = {}): Provider<'source'> {
  return defineProvider({ kind: 'source', id: 'memory', setup: ctx => soundSource(store, ctx, turnAfter) })
}

interface Head {
  readonly description: string
  readonly bodyBytes: number
}

interface Snapshot {
  readonly heads: ReadonlyMap<string, Head>
  readonly errors: readonly Diagnostic[]
}

function soundSource(
  store: MemoryStore,
  { invalidate }: SetupContext,
  turnAfter: number,
): Required<Pick<Source, 'source' | 'list' | 'refresh'>> {
  let known: Snapshot = { heads: new Map(), errors: [] }
  const result = ({ heads, errors }: Snapshot) =>
    loadResult({ errors, commands: [...heads].map(([name, head]) => command(store, name, head, invalidate)) })
  const look = async ({ signal, progress }: SourceCall, isConcerned: (name: string) => boolean): Promise<Snapshot> => {
    signal.throwIfAborted()
    const heads = new Map<string, Head>()
    const errors: Diagnostic[] = []
    const names = (await store.names()).toSorted()
    signal.throwIfAborted()
    for (const [at, name] of names.entries()) {
      if (at % turnAfter === turnAfter - 1) {
        await new Promise(setImmediate)
        signal.throwIfAborted()
        progress(at)
        signal.throwIfAborted()
      }
      const before = known.heads.get(name)
      const head = isConcerned(name) || before === undefined ? await store.head(name) : before
      if (typeof head === 'object') heads.set(name, head)
      else
        errors.push({
          severity: 'error',
          type: 'io',
          code: head ?? 'gone',
          name,
          path: store.pathOf(name),
          line: 3,
          message: `"${name}" is ${head}.`,
        })
    }
    return { heads, errors }
  }
  return {
    source: 'memory',
    async list(call) {
      known = await look(call, () => true)
      return result(known)
    },
    async refresh(paths, call) {
      const now = await look(call, name => paths?.includes(store.pathOf(name)) ?? true)
      if (isDeepStrictEqual(now, known)) return undefined
      known = now
      return result(known)
    },
  }
}

function command(
  store: MemoryStore,
  name: string,
  { description, bodyBytes }: Head,
  invalidate: () => void,
): PromptCommand {
  const read = async (signal: AbortSignal): Promise<string> => {
    signal.throwIfAborted()
    const body = await store.body(name)
    signal.throwIfAborted()
    if (body !== undefined) return body
    invalidate()
    throw new SkillsError('E_FILE_CHANGED', `The skill "${name}" is gone.`, { hint: 'List the skills again.' })
  }
  return {
    type: 'prompt',
    name,
    displayName: name,
    aliases: [],
    description,
    hasUserSpecifiedDescription: true,
    source: 'memory',
    loadedFrom: 'skills',
    userInvocable: true,
    isHidden: false,
    isEnabled: () => true,
    argumentNames: [],
    contentLength: bodyBytes,
    allowedTools: [],
    disallowedTools: [],
    context: 'inline',
    paths: [],
    shell: 'bash',
    requires: [],
    disableModelInvocation: false,
    isSkill: true,
    progressMessage: 'loading',
    metadata: {},
    load: async (_args, { signal }) => ({ template: await read(signal) }),
    digest: async ({ signal }) =>
      createHash('sha256')
        .update(JSON.stringify([description, await read(signal)]))
        .digest('hex'),
  }
}
