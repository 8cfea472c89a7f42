import { compareCatalogs, type Catalog, type Diagnostic } from '@skills/core'
import { watchSkills } from '@skills/files/source'
import { problemsOf } from '@skills/inspect/internal'
import { exitCodes, type Io } from '../../io.js'
import { watchPrinter, type WatchedSkill, type WatchEvent } from './text.js'
import { withEngine } from '../../engine/engine.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/**
 * `skills watch`: prints skills that are added, changed and removed until the person ends it. See
 * docs/reference/output.md, "Watch output".
 */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  return withEngine(invocation, io, async ({ skills }) => {
    const { signal } = io
    const printEvent = watchPrinter(invocation, io)
    const unread = new AbortController()
    const print = (event: WatchEvent): void => {
      printEvent(event)
      if (io.stdout.isClosed === true) unread.abort()
    }
    let shown: Catalog | undefined
    const show = (catalog: Catalog): void => {
      if (shown === undefined || catalog === shown) return
      for (const event of eventsBetween(shown, catalog)) print(event)
      shown = catalog
    }
    // Problems can change although no skill does, so every load is compared.
    const stop = skills.hook('sources:loaded', async () => {
      if (shown !== undefined && !signal.aborted) show(await skills.catalog())
    })
    const onDiagnostic = (diagnostic: Diagnostic): void => print({ event: 'problem', problem: diagnostic })
    const watching = await watchSkills(skills, { signal, onDiagnostic })
    try {
      shown = await skills.catalog({ signal })
      print({
        event: 'started',
        skills: shown.size,
        problems: problemsOf(shown, []),
        places: shown.places.map(({ path }) => path),
      })
      // A load may have finished before the catalog arrived.
      show(await skills.catalog({ signal }))
      await aborted(AbortSignal.any([signal, unread.signal]))
      // If the reader closes the pipe, that is no failure.
      return signal.aborted ? exitCodes.interrupted : exitCodes.ok
    } finally {
      stop()
      await watching.close()
    }
  })
}

function* eventsBetween(before: Catalog, after: Catalog): Generator<WatchEvent> {
  const { added, removed, changed } = compareCatalogs(before, after)
  for (const name of removed) yield { event: 'removed', ...skillNamed(name, before) }
  for (const name of added) yield { event: 'added', ...skillNamed(name, after) }
  for (const name of changed) yield { event: 'changed', ...skillNamed(name, after) }
  const [old, now] = [before, after].map(
    catalog => new Map(problemsOf(catalog, []).map(problem => [keyOf(problem), problem])),
  )
  for (const [key, problem] of old ?? []) if (now?.has(key) !== true) yield { event: 'solved', problem }
  for (const [key, problem] of now ?? []) if (old?.has(key) !== true) yield { event: 'problem', problem }
}

function skillNamed(name: string, catalog: Catalog): WatchedSkill {
  const command = catalog.get(name)?.command
  return { name, source: command?.source, path: command?.type === 'prompt' ? command.filePath : undefined }
}

function keyOf({ severity, code, path, line, message }: Diagnostic): string {
  return [severity, code, path, line, message].join('\0')
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
