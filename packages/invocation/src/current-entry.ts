import {
  abortError,
  nameKey,
  withDeadline,
  type Catalog,
  type CatalogEntry,
  type PromptCommand,
  type Skills,
} from '@skills/core'

/** Reads of a file that changes each time. After the last, the trust provider decides about what was read. */
const mostLooks = 3

/** What is invoked. */
export interface Found {
  /** As its file is now: rules and people are asked about the very bytes that then run. */
  readonly entry: CatalogEntry
  /** Why its file cannot be read. Rules come before it. */
  readonly failure?: { readonly error: unknown } | undefined
}

/**
 * The entry of a name as its file is now. An engine may have listed it long ago, so its file is read once, and the
 * command is made of what was read: fields, text and digest are of one moment. A command that has no snapshot is listed
 * anew where its file has changed.
 * @throws SkillsError `E_UNKNOWN_NAME`, `E_AMBIGUOUS_NAME`; what loading throws of a skill that is gone
 */
export async function currentEntry(
  skills: Pick<Skills, 'catalog' | 'signal'>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Found> {
  let entry = (await skills.catalog({ signal })).require(name)
  let found: Found = { entry }
  for (let look = 0; look < mostLooks; look++) {
    const { command } = entry
    if (command.type !== 'prompt' || command.file === undefined) return { entry }
    // A source of files notices by reading that one has changed, and lists it again.
    const read = await readingOf(command, [signal, skills.signal])
    const failure = 'error' in read ? read : undefined
    const catalog = await skills.catalog({ signal })
    const now = catalog.lookup(name)
    if (now === undefined && failure !== undefined) throw failure.error
    if (now?.command === command) return foundIn(now, read)
    found = foundIn(entry, read)
    entry = catalog.require(name)
  }
  // It is another whenever it is looked at: what was read last is of one moment, and all that is judged is of the same.
  return found.entry.command.type === 'prompt' && found.entry.command.isSnapshot === true ? found : { entry }
}

/** Whether a name is one of an entry's, in the very letters. */
export function isNamedExactly({ name, command: { displayName, aliases } }: CatalogEntry, asked: string): boolean {
  return [name, displayName, ...aliases].some(one => nameKey(one) === nameKey(asked))
}

/** Whether the file of a command is another by now, as the catalog says once it was read. */
export function isChangedSince({ file, filePath }: PromptCommand, name: string, catalog: Catalog): boolean {
  const now = catalog.get(name)?.command
  if (file === undefined || now?.type !== 'prompt' || now.file === undefined || now.filePath !== filePath) return false
  // A program can set mtime back, but not ctime.
  return (
    now.file.size !== file.size ||
    now.file.mtimeMs !== file.mtimeMs ||
    now.file.ctimeMs !== file.ctimeMs ||
    now.file.ino !== file.ino
  )
}

/** Has the source of a name see whether its file was changed, which it does by reading it, and lists it anew then. */
export async function noticeChange(
  skills: Pick<Skills, 'catalog' | 'signal'>,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const command = (await skills.catalog({ signal })).get(name)?.command
  if (command?.type === 'prompt' && command.file !== undefined) await readingOf(command, [signal, skills.signal])
}

function foundIn(entry: CatalogEntry, read: Awaited<ReturnType<typeof readingOf>>): Found {
  if ('error' in read) return { entry, failure: read }
  return { entry: read.command === entry.command ? entry : { ...entry, command: read.command } }
}

/**
 * A command with what its file holds now, or why it cannot be read: an error of the invocation only where the rules let
 * it happen, or the name is gone too.
 */
async function readingOf(
  command: PromptCommand,
  signals: readonly (AbortSignal | undefined)[],
): Promise<{ readonly command: PromptCommand } | { readonly error: unknown }> {
  try {
    return await withDeadline(
      async signal => {
        if (command.snapshot !== undefined) return { command: await command.snapshot({ signal }) }
        await command.load('', { signal })
        return { command }
      },
      { signals },
    )
  } catch (error) {
    for (const signal of signals) if (signal?.aborted === true) throw abortError(signal)
    return { error }
  }
}
