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
  /** Absolute, forward slashes. */
  readonly tarball: string
  /** Of the tarball. */
  readonly bytes: number
  /** What is in it, relative to the package. */
  readonly files: readonly string[]
  /** What a host loads of it once it is installed, by the names that it then has. */
  readonly skills: readonly PluginSkill[]
}

export interface PackOptions {
  /** Absolute; made when it is missing. */
  readonly out: string
  readonly runsScripts: boolean
  /** What a path among messages is relative to, absolute. */
  readonly cwd: string
}

/** Scripts that npm runs before and after it packs. */
const packScripts = ['prepack', 'prepare', 'postpack']

/** Those of them that a package has. */
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
 * Packs a plugin that was checked, and loads it from the tarball as a host does that has it installed. The tarball
 * comes to its place only when every skill of the folder is in it, by the name that it has in the folder.
 * @throws Error that says what npm refused, or which skills are not in the tarball or go by other names there; then
 * nothing is left
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
            ? [{ name: own, path: command.filePath?.split(`/node_modules/${name}/`).at(-1) }]
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

/**
 * Throws unless everything that loads from the folder loads from the tarball, and by the same name: that is the one its
 * users call it by.
 */
function refuseOther(skills: readonly PluginSkill[], loaded: readonly PluginSkill[]): void {
  const missing: string[] = []
  const renamed: string[] = []
  for (const { name, path } of skills) {
    // Of a command whose text stands in the manifest the name is all there is.
    const names = loaded
      .filter(one => one.path === path && (path !== undefined || one.name === name))
      .map(one => one.name)
    if (names.length === 0) missing.push(path ?? name)
    else if (!names.includes(name)) renamed.push(`${path ?? name} as ${names.join(', ')} instead of ${name}`)
  }
  if (missing.length > 0)
    throw new Error(`The tarball lacks what the folder has: ${missing.join(', ')}. See skills plugin check.`)
  if (renamed.length > 0) {
    throw new Error(
      `The tarball has skills by other names than the folder: ${renamed.join('; ')}. Publish .claude-plugin/plugin.json with the plugin's name, or give package.json "skillsPaths".`,
    )
  }
}

/** Writes the files of a package as npm installs them. Gives their paths in it. */
function unpack(content: readonly TarballFile[], root: Root, folder: string): readonly string[] {
  return content
    .map(({ path, bytes }) => {
      // npm drops the first folder, which may have any name.
      const inside = path.replace(/^[^/]*\//, '')
      if (inside.split('/').includes('..') || inside === '')
        throw new Error(`The tarball has a file that leads out of it: ${path}`)
      root.create(`${folder}/${inside}`, bytes)
      return inside
    })
    .sort()
}

/** Puts a tarball where a person wants it: a reader finds all of it or what was there before. */
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
