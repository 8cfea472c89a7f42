import { abortError, withDeadline, type Catalog, type CatalogEntry, type PromptCommand, type Skills } from '@skills/core'

/** A file that is another at each look is for whoever decides about trust to refuse. */
const mostLooks = 3

/**
 * The entry of a name as its file is now. An engine may have listed it long ago, and what rules and people are asked about has to be what
 * then runs: its tools and hooks are those of the list, its text and its approval those of the file.
 * @throws SkillsError `E_UNKNOWN_NAME`, `E_AMBIGUOUS_NAME`; what loading throws of a skill that is gone
 */
export async function currentEntry(skills: Pick<Skills, 'catalog' | 'signal'>, name: string, signal: AbortSignal | undefined): Promise<CatalogEntry> {
  let entry = (await skills.catalog({ signal })).require(name)
  for (let look = 0; look < mostLooks; look++) {
    const { command } = entry
    if (command.type !== 'prompt' || command.file === undefined) return entry
    // A source of files notices by reading that one has changed, and lists it again.
    const failure = await failureOf(command, [signal, skills.signal])
    const catalog = await skills.catalog({ signal })
    const now = catalog.lookup(name)
    if (now === undefined && failure !== undefined) throw failure.error
    if (now?.command === command) return now
    entry = catalog.require(name)
  }
  return entry
}

/** Whether the file of a command is another by now, as the catalog says once it was read. */
export function isChangedSince({ file, filePath }: PromptCommand, name: string, catalog: Catalog): boolean {
  const now = catalog.get(name)?.command
  if (file === undefined || now?.type !== 'prompt' || now.file === undefined || now.filePath !== filePath) return false
  // Whoever writes a file can set back the one time and not the other.
  return now.file.size !== file.size || now.file.mtimeMs !== file.mtimeMs || now.file.ctimeMs !== file.ctimeMs || now.file.ino !== file.ino
}

/** Why a command cannot be read. It is an error of the invocation only where the name is gone too: whatever else it is, rules come before. */
async function failureOf(command: PromptCommand, signals: readonly (AbortSignal | undefined)[]): Promise<{ readonly error: unknown } | undefined> {
  try {
    await withDeadline(signal => command.load('', { signal }), { signals })
    return undefined
  } catch (error) {
    for (const signal of signals) if (signal?.aborted === true) throw abortError(signal)
    return { error }
  }
}
