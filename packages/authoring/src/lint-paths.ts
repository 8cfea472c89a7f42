import { resolve } from 'node:path'
import { slashes } from '@skills/files/internal'
import { findSkillFiles, lintFiles } from '@skills/inspect'
import {
  countsOf,
  publishedFolders,
  type CatalogLint,
  type LintedFile,
  type LintOptions,
  type SkippedFolders,
} from '@skills/inspect/internal'
import { checkPluginFolder } from './check-plugin-folder.js'
import type { Diagnostic } from '@skills/core'
import type { NpmSurroundings } from './npm.js'

/** Findings about the files under some paths, and the skipped folders under these paths. */
export interface LintedPaths extends CatalogLint {
  readonly skipped: SkippedFolders
}

/**
 * Lints the files under the paths. For each plugin and marketplace among them, also checks its manifest, hooks, servers
 * and commands as `plugin check` does; these are never repaired.
 * @param paths absolute, or relative to the working folder of the shell, which completed or expanded them
 */
export async function lintPaths(
  paths: readonly string[],
  surroundings: NpmSurroundings & { readonly cwd: string },
  options: LintOptions,
): Promise<LintedPaths> {
  const { cwd, signal } = surroundings
  const { files, diagnostics, skipped } = await findSkillFiles(paths, { cwd, signal })
  const linted = await lintFiles(files, options)
  const byPath = new Map(linted.files.map(file => [file.path, file]))
  const others: Diagnostic[] = []
  const besides: LintedFile[] = []
  const added: Diagnostic[] = []
  const published = publishedFolders(paths.map(given => slashes(resolve(cwd, given))))
  for (const folder of published) {
    const check = await checkPluginFolder(folder, false, surroundings)
    for (const file of check.files) {
      const known = byPath.get(file.path)
      if (known === undefined) {
        besides.push(file)
        continue
      }
      // Some findings exist only for a loaded plugin, such as two skills with one name.
      const more = file.diagnostics.filter(one => !known.diagnostics.some(other => isSame(one, other)))
      byPath.set(file.path, { ...known, diagnostics: [...known.diagnostics, ...more] })
      added.push(...more)
    }
    for (const one of check.others) others.push(one)
  }
  // A plugin may have only commands, so a missing SKILL.md in it is not reported.
  const found = diagnostics.filter(({ code, path = '' }) => code !== 'no-skill-files' || !published.includes(path))
  const all = [...byPath.values(), ...besides]
  const more = [...added, ...besides.flatMap(one => one.diagnostics), ...found, ...others]
  const count = (wanted: Diagnostic['severity']): number => more.filter(({ severity }) => severity === wanted).length
  const { counts } = linted
  return {
    files: all,
    others: [...found, ...others],
    skipped,
    counts: {
      ...counts,
      files: all.length,
      errors: counts.errors + count('error'),
      warnings: counts.warnings + count('warning'),
      infos: counts.infos + count('info'),
    },
  }
}

/** Joins the findings about a catalog with those under paths. A file of both is reported once. */
export function joinLints(catalog: CatalogLint, paths: LintedPaths): LintedPaths {
  const known = new Set(catalog.files.map(({ path }) => path))
  const files = [...catalog.files, ...paths.files.filter(({ path }) => !known.has(path))]
  const others = [
    ...catalog.others,
    ...paths.others.filter(one => !catalog.others.some(other => other.path === one.path && isSame(one, other))),
  ]
  return { files, others, skipped: paths.skipped, counts: countsOf(files, others) }
}

/** Removes the findings that there is no skill file, for a caller to whom that is no problem. */
export function withoutEmpty<T extends CatalogLint>(linted: T): T {
  const others = linted.others.filter(({ code }) => code !== 'no-skill-files')
  return { ...linted, others, counts: countsOf(linted.files, others) }
}

function isSame(one: Diagnostic, other: Diagnostic): boolean {
  return one.code === other.code && one.line === other.line && (one.field ?? '') === (other.field ?? '')
}
