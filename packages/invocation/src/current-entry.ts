import {
  abortError,
  nameKey,
  withDeadline,
  type Catalog,
  type CatalogEntry,
  type PromptCommand,
  type Skills,
} from '@skills/core'

/** Reads of a file that changes each time. After the last read, the trust provider judges the content that was read. */
const mostLooks = 3

/** Command that is about to be invoked. */
export interface Found {
  /** Entry made from its file as it is now, so that rules and people judge the bytes that then run. */
  readonly entry: CatalogEntry
  /** Error of reading its file. It is thrown only after the rules allowed the invocation. */
  readonly failure?: { readonly error: unknown } | undefined
}

/**
 * Finds the entry of a name in the current state of its file, because the engine may have listed the file long ago.
 * Reads the file once and makes the command from this reading, so that fields, text and digest belong together. A
 * command without a snapshot is listed again if its file has changed.
 * @throws SkillsError `E_UNKNOWN_NAME`, `E_AMBIGUOUS_NAME`; the error of loading if the skill is gone
 */
export async function currentEntry(
  skills: Pick<Skills, 'catalog' | 'signal'>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Found> {
  let entry = (await skills.catalog({ signal, names: [name] })).require(name)
  let found: Found = { entry }
  for (let look = 0; look < mostLooks; look++) {
    const { command } = entry
    if (command.type !== 'prompt' || command.file === undefined) return { entry }
    // Reading a changed file makes its source list it again.
    const read = await readingOf(command, [signal, skills.signal])
    const failure = 'error' in read ? read : undefined
    const catalog = await skills.catalog({ signal, names: [name] })
    const now = catalog.lookup(name)
    if (now === undefined && failure !== undefined) throw failure.error
    if (now?.command === command) return foundIn(now, read)
    found = foundIn(entry, read)
    entry = catalog.require(name)
  }
  // The file changes at every look. The last reading is of one moment, so everything is judged by it.
  return found.entry.command.type === 'prompt' && found.entry.command.isSnapshot === true ? found : { entry }
}

/** True if a name equals one of an entry's names, including letter case. */
export function isNamedExactly({ name, command: { displayName, aliases } }: CatalogEntry, asked: string): boolean {
  return [name, displayName, ...aliases].some(one => nameKey(one) === nameKey(asked))
}

/**
 * True if the catalog now lists another file, or another state of the file, than the one that a command was made from.
 * Reading the file updates the catalog.
 */
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

/** Reads the file of a command, so that its source notices a change and lists it again. */
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
 * Reads the file of a command. Returns the error instead of throwing it: it matters only if the rules allow the
 * invocation, or if the name is gone too.
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
