import { allOnes, type Listed } from './listed.js'
import { filesBeside, type FilesBeside } from './files-beside.js'
import { requirementTree, type RequirementTree } from './requirement-tree.js'
import type { Catalog, CatalogEntry, PromptBody } from '@skills/core'

/** Content of `skills show` for one skill. */
export interface ShownSkill {
  readonly listed: Listed
  readonly entry: CatalogEntry
  /** Current body; undefined for a command that is not a prompt. */
  readonly body: PromptBody | undefined
  /** Undefined for a command without a folder of its own. */
  readonly files: FilesBeside | undefined
  /** Undefined if it was not requested. */
  readonly tree: RequirementTree | undefined
}

/** Reads the current body of a skill, the files beside it and, if wanted, what it requires. */
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
    // A skill that was switched off just now is not in the list.
    listed: listed ?? { state: 'disabled', name, source: command.source, provider, path: prompt?.filePath, command },
    body: await prompt?.load('', { signal }),
    files:
      prompt?.baseDir === undefined
        ? undefined
        : await filesBeside(prompt.baseDir, { except: prompt.filePath, signal }),
    tree: areDependenciesWanted ? requirementTree(catalog, entry) : undefined,
  }
}
