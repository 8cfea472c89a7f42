import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readTarball, withoutFiles, type TarballFile } from './read-tarball.js'
import type { PluginCheck, PluginSkill } from './check-plugin.js'
import type { NpmSurroundings } from './npm.js'
import { messageOf } from '@skills/core'
import { isJsonObject, realPathOf, slashes } from '@skills/files/internal'
import { readJsonFile } from '@skills/files'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot, writeNamed, type Root } from '@skills/state/writer'
import { isTemporaryPath, makePacked } from './npm-pack.js'
import { withPluginsAlone } from './plugin-engine.js'

export interface PackedPlugin {
  /** Path of the tarball, absolute, with forward slashes. */
  readonly tarball: string
  /** Size of the tarball in bytes. */
  readonly bytes: number
  /** Files in the tarball, relative to the package. */
  readonly files: readonly string[]
  /** Skills that a host loads once the package is installed, with the names they have there. */
  readonly skills: readonly PluginSkill[]
}

export interface PackOptions {
  /** Folder for the tarball, absolute; created if it is missing. */
  readonly out: string
  readonly runsScripts: boolean
  /** Working folder, absolute. In it, and in any repository, links on the way to the tarball are not followed. */
  readonly cwd: string
}

/** Scripts that npm runs before and after it packs. */
const packScripts = ['prepack', 'prepare', 'postpack']

/** Returns the pack scripts that a package has. */
export function scriptsOf(folder: string): readonly string[] {
  const file = readJsonFile(`${folder}/package.json`, {
    code: 'invalid-package',
    what: 'The package file',
    within: realPathOf(folder) ?? folder,
  })
  const scripts = file === undefined || 'severity' in file ? undefined : file.data['scripts']
  return isJsonObject(scripts) ? packScripts.filter(name => Object.hasOwn(scripts, name)) : []
}

/**
 * Packs a checked plugin, and loads it from the tarball as a host with the installed package would. Moves the tarball
 * to `out` only if every skill of the folder is in it under the same name.
 * @throws Error that says what npm refused, or which skills the tarball lacks or renames; no tarball is left then
 */
export async function packPlugin(
  folder: string,
  { name = '', skills }: PluginCheck,
  { out, runsScripts, cwd }: PackOptions,
  npmIn: NpmSurroundings,
): Promise<PackedPlugin> {
  const root = temporaryRoot('skills-pack-')
  const temporary = root.path
  try {
    const { filename } = await makePacked(folder, { destination: temporary, runsScripts }, npmIn)
    const made = join(temporary, filename.replace(/^@/, '').replaceAll('/', '-'))
    const bytes = await withoutFiles(readFileSync(made), made, isTemporaryPath)
    if ('severity' in bytes) throw new Error(bytes.message)
    const content = await readTarball(bytes, made)
    if ('severity' in content) throw new Error(content.message)
    const files = unpack(content, root, `host/node_modules/${name}`)
    const loaded = await withPluginsAlone(
      { packages: [{ name, folder: join(temporary, 'host') }] },
      npmIn.signal,
      async catalog =>
        catalog.entries.flatMap(({ name: own, command }): readonly PluginSkill[] =>
          command.type === 'prompt' && command.pluginName !== undefined
            ? [{ name: own, path: command.filePath?.split(`/node_modules/${name}/`).at(-1), isSkill: command.isSkill }]
            : [],
        ),
    )
    refuseOther(skills, loaded)
    const tarball = put(bytes, join(out, basename(made)), cwd)
    return { tarball, bytes: bytes.length, files, skills: loaded }
  } finally {
    removeTemporary(root)
  }
}

/** Throws if a skill of the folder is missing from the tarball or has another name there: users call it by its name. */
function refuseOther(skills: readonly PluginSkill[], loaded: readonly PluginSkill[]): void {
  const missing: string[] = []
  const renamed: string[] = []
  for (const { name, path } of skills) {
    // A command whose text is in the manifest has no path, so only its name can be compared.
    const names = loaded
      .filter(one => one.path === path && (path !== undefined || one.name === name))
      .map(one => one.name)
    if (names.length === 0) missing.push(path ?? name)
    else if (!names.includes(name)) renamed.push(`${path ?? name} as ${names.join(', ')} instead of ${name}`)
  }
  if (missing.length > 0)
    throw new Error(
      `The tarball lacks skills that the folder has: ${missing.join(', ')}. See why: skills plugin check.`,
    )
  if (renamed.length > 0) {
    throw new Error(
      `The skills have other names in the tarball than in the folder: ${renamed.join('; ')}. Publish .claude-plugin/plugin.json with the plugin's name, or give package.json "skillsPaths".`,
    )
  }
}

/** Writes the files of a package as npm installs them. Returns their paths in the package. */
function unpack(content: readonly TarballFile[], root: Root, folder: string): readonly string[] {
  return content
    .map(({ path, bytes }) => {
      // npm drops the first folder, which may have any name.
      const inside = path.replace(/^[^/]*\//, '')
      if (inside.split('/').includes('..') || inside === '')
        throw new Error(`The tarball has a file whose path leads out of the package: ${path}`)
      root.create(`${folder}/${inside}`, bytes)
      return inside
    })
    .sort()
}

/** Moves a tarball to its final path at once: readers find the whole new file or the one before it. */
function put(bytes: Uint8Array, target: string, cwd: string): string {
  try {
    writeNamed(target, bytes, cwd)
  } catch (error) {
    const why = messageOf(error).replace(/\.$/, '')
    throw new Error(`The tarball could not be put into ${dirname(target)}: ${why}. Name another folder with --out.`, {
      cause: error,
    })
  }
  return slashes(target)
}
