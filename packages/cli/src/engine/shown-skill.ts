import { allOnes, type Listed } from './listed.js'
import { filesBeside, requirementTree } from '@skills/inspect'
import type { FilesBeside, RequirementTree } from '@skills/inspect/internal'
import type { Catalog, CatalogEntry, PromptBody } from '@skills/core'

/** Everything `skills show` tells of one skill. */
export interface ShownSkill {
  readonly listed: Listed
  readonly entry: CatalogEntry
  /** As it is now; a command that is no prompt has none. */
  readonly body: PromptBody | undefined
  /** Undefined for a command without a folder of its own. */
  readonly files: FilesBeside | undefined
  /** Undefined when it was not asked for. */
  readonly tree: RequirementTree | undefined
}

/** Reads what is shown of a skill: its body and its folder, at this moment. */
export async function readShown(
  catalog: Catalog,
  entry: CatalogEntry,
  areDependenciesWanted: boolean,
  signal: AbortSignal,
): Promise<ShownSkill> {
  const { command, name, provider } = entry
  const prompt = command.type === 'prompt' ? command : undefined
  const listed = allOnes(catalog).find(one => one.name === name && one.command === command)
  return {
    entry,
    // One that switched itself off this moment is in no list any more.
    listed: listed ?? { state: 'disabled', name, source: command.source, provider, path: prompt?.filePath, command },
    body: await prompt?.load('', { signal }),
    files:
      prompt?.baseDir === undefined
        ? undefined
        : await filesBeside(prompt.baseDir, { except: prompt.filePath, signal }),
    tree: areDependenciesWanted ? requirementTree(catalog, entry) : undefined,
  }
}
