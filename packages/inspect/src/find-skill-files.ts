import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { closestNames, type Diagnostic } from '@skills/core'
import { expandGlobs } from '@skills/files'
import { ioProblem, lstatOf, slashes, statOf, systemCode } from '@skills/files/internal'
import { isSkillFile } from './check-place.js'
import { walkForSkills, type SkippedFolders } from './skill-walk.js'

export interface FindOptions {
  /** Absolute folder that relative paths and patterns start from. */
  readonly cwd: string
  readonly signal?: AbortSignal | undefined
}

export interface FoundSkillFiles {
  /** Absolute paths with forward slashes, each once, in the order of the given paths. */
  readonly files: readonly string[]
  /** Paths that lead to nothing, and folders that cannot be read. */
  readonly diagnostics: readonly Diagnostic[]
  /** Number of folders below the paths that were not searched. */
  readonly skipped: SkippedFolders
}

/**
 * Finds the skill files for paths. A file stands for itself, and a folder for every SKILL.md at or below it. A glob
 * pattern stands for all its matches, and a matching folder again for every SKILL.md at or below it. A path without any
 * skill file is an error. See docs/reference/lint.md, "Lint".
 * @throws AbortError if the signal aborts
 */
export async function findSkillFiles(paths: readonly string[], { cwd, signal }: FindOptions): Promise<FoundSkillFiles> {
  const files = new Set<string>()
  const diagnostics: Diagnostic[] = []
  const skipped = { ignored: 0, nodeModules: 0, git: 0 }
  for (const given of paths) {
    const path = slashes(resolve(cwd, given))
    const stats = statOf(path)
    if (stats === undefined) {
      const found = isPattern(given) ? await match(given, cwd, signal) : []
      for (const file of found) files.add(file)
      if (found.length === 0) diagnostics.push(isPattern(given) ? unmatched(given, path) : explainMissing(given, path))
    } else if (!stats.isDirectory()) {
      if (isSkillFile(path)) files.add(path)
      else diagnostics.push(otherFile(path))
    } else {
      const walk = await walkForSkills(path, signal)
      for (const file of walk.files) files.add(file)
      for (const one of walk.diagnostics) diagnostics.push(one)
      for (const reason of ['ignored', 'nodeModules', 'git'] as const) skipped[reason] += walk.skipped[reason]
      if (walk.files.length === 0 && walk.diagnostics.length === 0)
        diagnostics.push(nothingIn(path, walk.skipped.ignored > 0))
    }
  }
  return { files: [...files], diagnostics, skipped }
}

async function match(pattern: string, cwd: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
  const bare = slashes(pattern).replace(/\/+$/, '')
  const found = await expandGlobs([bare, `${bare}/**/SKILL.md`], cwd, signal)
  return found.filter(isSkillFile)
}

function isPattern(path: string): boolean {
  return /[*?[\]{}]/.test(path)
}

function problem(code: string, path: string, message: string, hint: string): Diagnostic {
  return { severity: 'error', type: 'io', code, path, message, hint }
}

function unmatched(pattern: string, path: string): Diagnostic {
  const hint = 'Patterns skip node_modules. Put a pattern in quotes, so that the shell does not expand it.'
  return problem('no-skill-files', path, `The pattern ${pattern} matches no SKILL.md.`, hint)
}

function nothingIn(path: string, hasIgnored: boolean): Diagnostic {
  return problem(
    'no-skill-files',
    path,
    `There is no SKILL.md in or below ${path}.`,
    hasIgnored
      ? 'Folders that git ignores were not searched. To search such a folder, name it.'
      : 'A skill is a folder with a SKILL.md in it.',
  )
}

function otherFile(path: string): Diagnostic {
  return problem(
    'not-a-skill-file',
    path,
    `${path} is not called SKILL.md, so it is not a skill.`,
    'Name the SKILL.md, or the folder that holds it.',
  )
}

function explainMissing(given: string, path: string): Diagnostic {
  if (lstatOf(path)?.isSymbolicLink() === true) {
    return {
      severity: 'error',
      type: 'io',
      code: 'dangling-link',
      path,
      message: `The link ${path} leads to nothing.`,
      hint: 'Remove the link, or change its target.',
    }
  }
  const at = path.lastIndexOf('/')
  const folder = path.slice(0, at) || '/'
  try {
    const close = closestNames(path.slice(at + 1), readdirSync(folder))
    const hint =
      close.length > 0
        ? `Did you mean ${close.map(name => `${folder}/${name}`).join(' or ')}?`
        : // Skills are called by name everywhere else.
          given.includes('/')
          ? 'Check the path.'
          : `A path is needed, such as .claude/skills/${given}.`
    return problem('no-such-path', path, `${path} does not exist.`, hint)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
    return isMissing
      ? problem('no-such-path', path, `${path} does not exist.`, 'Check the path.')
      : ioProblem('The folder', folder, error)
  }
}
