import { posix } from 'node:path'
import { pathOf, type Catalog, type Command, type Diagnostic, type PromptCommand } from '@skills/core'
import { filesBeside } from '@skills/inspect'
import { pluginParts } from './plugin-parts.js'

export function isPlugins(command: Command): command is PromptCommand {
  return command.type === 'prompt' && command.pluginName !== undefined
}

export function relativePath({ filePath }: PromptCommand, folder: string): string | undefined {
  return filePath?.startsWith(`${folder}/`) === true ? filePath.slice(folder.length + 1) : undefined
}

export interface Packing {
  readonly folder: string
  /** Real path of the folder. */
  readonly real: string
  /** Files that npm would publish, relative to the folder. */
  readonly packed: ReadonlySet<string>
  readonly signal: AbortSignal | undefined
}

/**
 * Returns problems for files in the folder that the package would lack: the manifest, hooks, skills and the files
 * beside skills.
 */
export async function leftOut(
  catalog: Catalog,
  { folder, real, packed, signal }: Packing,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [...partsLeftOut(folder, real, packed)]
  for (const { name, command } of catalog.entries) {
    if (!isPlugins(command)) continue
    const path = relativePath(command, folder)
    if (path === undefined) continue
    if (!packed.has(path)) {
      found.push({
        severity: 'error',
        type: 'validation',
        code: 'left-out',
        name,
        ...pathOf(command),
        message: `npm would leave out ${path}, so people who install the package do not get ${name}.`,
        hint: 'Name its folder in "files" of package.json, or remove it from .npmignore. npm does not publish links or files in node_modules.',
      })
    } else if (command.baseDir !== undefined) {
      const { files } = await filesBeside(command.baseDir, { except: command.filePath, most: 1_000, signal })
      const below = command.baseDir === folder ? '' : `${command.baseDir.slice(folder.length + 1)}/`
      const lost = files.filter(one => !packed.has(`${below}${one.path}`))
      // If the skill is the plugin's own folder, the files beside it belong only to the package.
      const [first] = below === '' ? [] : lost
      if (first === undefined) continue
      found.push({
        severity: 'warning',
        type: 'validation',
        code: 'file-left-out',
        name,
        ...pathOf(command),
        message: `npm would leave out ${lost.length === 1 ? `${below}${first.path}` : `${lost.length} files beside it, such as ${below}${first.path}`}.`,
        hint: 'If the skill needs a file that is left out, name the file in "files" of package.json or remove it from .npmignore. npm does not publish links.',
      })
    }
  }
  return found
}

function partsLeftOut(folder: string, real: string, packed: ReadonlySet<string>): readonly Diagnostic[] {
  return pluginParts(folder, real)
    .filter(({ path }) => !packed.has(path))
    .map(({ path, loss }): Diagnostic => {
      const parent = posix.dirname(path)
      return {
        severity: 'error',
        type: 'validation',
        code: 'left-out',
        path: `${folder}/${path}`,
        message: `npm would leave out ${path}, so ${loss}.`,
        hint: `Name ${JSON.stringify(parent === '.' ? path : parent)} in "files" of package.json, or remove it from .npmignore. npm does not publish links.`,
      }
    })
}
