import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkPlugin, type PluginCheck } from '@skills/authoring'
import { isAbortError, messageOf, type Diagnostic } from '@skills/core'
import { readWholeFile } from '@skills/files'
import { slashes } from '@skills/files/internal'
import { listPacked } from '../commands/plugin-pack/npm-pack.js'
import { NpmMissingError } from '../commands/plugin-pack/npm.js'
import { UsageError } from '../arguments/usage-error.js'
import { withPluginsAlone } from './plugin-engine.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/** The folder of the plugin that was meant, absolute. */
export function pluginFolder({ args: [given = '.'], cwd }: Invocation, io: Io): string {
  const folder = resolve(io.cwd, cwd ?? '.', given)
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) throw new UsageError(`There is no folder ${folder}.`)
  if (!stats.isDirectory()) throw new UsageError(`${folder} is not a folder.`)
  return slashes(folder)
}

/**
 * Loads a plugin as a host would, or all of a marketplace, and checks it.
 * @param asPackage whether npm is to publish it, which has rules of its own
 */
export async function checkedPlugin(folder: string, asPackage: boolean, io: Io): Promise<PluginCheck> {
  const { files, problem } = asPackage ? await packingOf(folder, io) : {}
  const { publishedBy } = await import('./named-folders.js')
  return withPluginsAlone(
    asPackage ? { plugins: [folder] } : publishedBy([folder], []),
    io.signal,
    async (catalog, reported, hooks) => {
      const check = await checkPlugin(catalog, { folder, asPackage, packed: files, reported, hooks, signal: io.signal })
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
  io: Io,
): Promise<{ readonly files?: readonly string[]; readonly problem?: Diagnostic }> {
  // npm waits for ever for a pipe in their place. What is wrong with the package file is found again by the check
  // itself.
  for (const name of ['package.json', '.npmignore', '.gitignore']) {
    const file = await readWholeFile(`${folder}/${name}`, { within: [realpathSync.native(folder)], signal: io.signal })
    if (file !== undefined && 'problem' in file) return { problem: file.problem }
  }
  try {
    return { files: (await listPacked(folder, io)).files }
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
