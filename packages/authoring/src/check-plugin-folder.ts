import { isAbortError, messageOf, type Diagnostic } from '@skills/core'
import { readWholeFile } from '@skills/files'
import { realPathOf, slashes } from '@skills/files/internal'
import { sortFolders } from '@skills/inspect/internal'
import { checkPlugin, type PluginCheck } from './check-plugin.js'
import { listPacked } from './npm-pack.js'
import { NpmMissingError, type NpmSurroundings } from './npm.js'
import { withPluginsAlone } from './plugin-engine.js'

/**
 * Loads a plugin, or all plugins of a marketplace, as a host would, and checks it.
 * @param asPackage true if npm should publish the plugin, so that the rules for packages apply too
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
      // If npm cannot read the package file, the check has already found an error for it.
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
  // npm would wait forever for a pipe in place of one of these files. The check itself reports what is wrong with the
  // package file.
  for (const name of ['package.json', '.npmignore', '.gitignore']) {
    const file = await readWholeFile(`${folder}/${name}`, {
      within: [realPathOf(folder) ?? folder],
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
        hint: 'Until npm can list the files of the package, this check cannot show which files npm would leave out.',
      },
    }
  }
}
