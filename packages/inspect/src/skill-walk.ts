import { existsSync, readdirSync, type Dirent } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { abortError, type Diagnostic } from '@skills/core'
import { escapeProblem, ioProblem, isInside, realPathOf, statOf } from '@skills/files/internal'
import { IgnoreRules } from '@skills/files'
import { folderBatch } from './folder-batch.js'
import { isSkillFile } from './check-place.js'

export interface WalkResult {
  /** Absolute paths with forward slashes, folder by folder in code unit order. */
  readonly files: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  /** Number of skipped folders by reason; folders in them are not counted. */
  readonly skipped: SkippedFolders
}

/** Folders that a walk did not enter. */
export interface SkippedFolders {
  /** Folders that git ignores. */
  readonly ignored: number
  readonly nodeModules: number
  /** Folders in which git keeps its own files. */
  readonly git: number
}

/**
 * Finds every skill file at or below a folder, in hidden folders too. Skips `.git`, `node_modules` and everything that
 * git ignores, and counts the skipped folders. Follows each link once.
 * @param top absolute, with forward slashes; searched even if its own name is hidden
 */
export async function walkForSkills(top: string, signal: AbortSignal | undefined): Promise<WalkResult> {
  const files: string[] = []
  const diagnostics: Diagnostic[] = []
  const skipped = { ignored: 0, nodeModules: 0, git: 0 }
  const repository = repositoryOf(top) ?? top
  const rules = IgnoreRules.under(repository)
  // A person who names a folder means the files in it and in its repository. Links out of both need to be named
  // separately.
  const within = [repository, top].flatMap(folder => realPathOf(folder) ?? [])
  // A person who names an ignored folder wants it searched.
  const isIgnored = rules.ignores(`${top}/`) ? () => false : (path: string) => rules.ignores(path)
  const seen = new Set<string>()
  const pending = [top]
  for (let count = 1; ; count++) {
    const folder = pending.pop()
    if (folder === undefined) break
    if (signal?.aborted === true) throw abortError(signal)
    if (count % folderBatch === 0) await turn()
    try {
      const real = realPathOf(folder)
      if (real === undefined || seen.has(real)) continue
      seen.add(real)
      const escape = escapeProblem(folder, real, within)
      if (escape === undefined) look(folder, readdirSync(folder, { withFileTypes: true }))
      else diagnostics.push({ ...escape, severity: 'warning', hint: whenMeant })
    } catch (error) {
      diagnostics.push(ioProblem('The folder', folder, error))
    }
  }
  return { files, diagnostics: [...rules.problems, ...diagnostics], skipped }

  function look(folder: string, entries: readonly Dirent[]): void {
    const skillFiles = entries
      .map(({ name }) => name)
      .filter(isSkillFile)
      .sort()
    const [first] = skillFiles.includes('SKILL.md') ? ['SKILL.md'] : skillFiles
    if (first !== undefined && !isIgnored(`${folder}/${first}`)) take(`${folder}/${first}`)
    const inner: string[] = []
    for (const { name } of entries.filter(entry => entry.name !== first && leadsOn(folder, entry))) {
      const path = `${folder}/${name}`
      if (name === 'node_modules') skipped.nodeModules++
      else if (name === '.git') skipped.git++
      else if (isIgnored(`${path}/`)) skipped.ignored++
      else inner.push(path)
    }
    // The folder pushed last is searched first.
    for (const one of inner.sort().reverse()) pending.push(one)
  }

  /**
   * Adds a file. A file that is a link is read, and with `--fix` written, only if it leads to another file of the
   * repository.
   */
  function take(path: string): void {
    const real = realPathOf(path)
    const escape = real === undefined ? undefined : escapeProblem(path, real, within)
    if (escape === undefined) files.push(path)
    else diagnostics.push({ ...escape, hint: whenMeant })
  }

  function leadsOn(folder: string, entry: Dirent): boolean {
    if (entry.isDirectory()) return true
    if (!entry.isSymbolicLink()) return false
    const path = `${folder}/${entry.name}`
    if (statOf(path)?.isDirectory() !== true) return false
    const real = realPathOf(path)
    // A link to an enclosing folder would only lead back here.
    return real !== undefined && !isInside(folder, real)
  }
}

const whenMeant = 'To check that file, name it on the command line.'

/** Returns the nearest folder at or above that holds `.git`. */
function repositoryOf(folder: string): string | undefined {
  for (let at = folder; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (existsSync(`${at}/.git`)) return at
  return undefined
}
