import { realpathSync } from 'node:fs'
import { isAbortError, messageOf, type Diagnostic } from '@skills/core'
import { readWholeFile } from '@skills/files'
import { slashes } from '@skills/files/internal'
import { sortFolders } from '@skills/inspect/internal'
import { checkPlugin, type PluginCheck } from './check-plugin.js'
import { listPacked } from './npm-pack.js'
import { NpmMissingError, type NpmSurroundings } from './npm.js'
import { withPluginsAlone } from './plugin-engine.js'

/**
 * Loads a plugin as a host would, or all of a marketplace, and checks it.
 * @param asPackage whether npm is to publish it, which has rules of its own
 */
export async function checkPluginFolder(
  folder: string,
  asPackage: boolean,
  npmIn: NpmSurroundings,
): Promise<PluginCheck> {
  const { files, problem } = asPackage ? await packingOf(folder, npmIn) : {}
  const sorted = sortFolders([slashes(folder)])
  return withPluginsAlone(
    asPackage
      ? { plugins: [folder] }
      : {
          plugins: sorted.plugins.map(path => ({ path, from: 'command-line' as const })),
          marketplaces: sorted.marketplaces.map(path => ({ path, from: 'command-line' as const })),
        },
    npmIn.signal,
    async (catalog, reported, hooks) => {
      const check = await checkPlugin(catalog, {
        folder,
        asPackage,
        packed: files,
        reported,
        hooks,
        signal: npmIn.signal,
      })
      // What keeps npm from reading the package file is among the errors already.
      if (problem === undefined || (problem.severity === 'error' && check.counts.errors > 0)) return check
      const { errors, warnings } = check.counts
      const counts = {
        ...check.counts,
        errors: errors + Number(problem.severity === 'error'),
        warnings: warnings + Number(problem.severity === 'warning'),
      }
      return { ...check, others: [...check.others, problem], counts }
    },
  )
}

async function packingOf(
  folder: string,
  npmIn: NpmSurroundings,
): Promise<{ readonly files?: readonly string[]; readonly problem?: Diagnostic }> {
  // npm waits for ever for a pipe in their place. What is wrong with the package file is found again by the check
  // itself.
  for (const name of ['package.json', '.npmignore', '.gitignore']) {
    const file = await readWholeFile(`${folder}/${name}`, {
      within: [realpathSync.native(folder)],
      signal: npmIn.signal,
    })
    if (file !== undefined && 'problem' in file) return { problem: file.problem }
  }
  try {
    return { files: (await listPacked(folder, npmIn)).files }
  } catch (error) {
    if (isAbortError(error)) throw error
    const isMissing = error instanceof NpmMissingError
    return {
      problem: {
        severity: isMissing ? 'warning' : 'error',
        type: 'io',
        code: isMissing ? 'npm-missing' : 'npm-failed',
        path: folder,
        message: messageOf(error),
        hint: 'Until then no one can say what npm would leave out.',
      },
    }
  }
}
