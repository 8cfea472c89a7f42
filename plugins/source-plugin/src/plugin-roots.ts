import type { Layout, SkillRoot } from '@skills/files/source'
import type { Manifest, ManifestCommand } from './manifest.js'
import { statOf } from '@skills/files/internal'
import type { SkillFields } from '@skills/skill-md'
import type { SkillFile, SkillPlugin } from '@skills/skill-md/internal'

/** What of a plugin its roots are made of. */
export interface RootedPlugin extends SkillPlugin {
  readonly name: string
  readonly path: string
  readonly manifest: Manifest
  readonly adapt: NonNullable<SkillRoot['adapt']>
}

/** What of a plugin's folder has to be known to look into it. */
export interface PluginFolderFacts {
  readonly realPath: string
  /** Names of what lies in it: what is not there is not looked for. */
  readonly names: readonly string[]
  readonly layout: Layout | undefined
  /** Which stand first and keep their names. Default: skills. */
  readonly first?: 'skills' | 'commands' | undefined
  /** What the plugin's own skill goes by. Default: the plugin's name. */
  readonly ownSkill?: 'plugin' | 'folder' | undefined
}

/**
 * The roots of a plugin, skills before commands unless it is to be otherwise: a skill then wins over a command of its
 * name.
 */
export function rootsOfPlugin(
  plugin: RootedPlugin,
  { realPath, names, layout: agents, first = 'skills', ownSkill }: PluginFolderFacts,
): readonly SkillRoot[] {
  const { manifest, path: folder, adapt } = plugin
  const name = ownSkill === 'folder' ? folder.slice(folder.lastIndexOf('/') + 1) : plugin.name
  const shared = { source: 'plugin', qualifier: 'plugin', plugin, adapt, within: [realPath] } as const
  // The folders on the way to a skill are part of its name, so none has to be left out for lying deeper.
  const layout: Layout | undefined = agents?.walk === 'flat' ? { ...agents, walk: 'deep' } : agents
  const skills = new Map<string, SkillRoot>()
  if (manifest.hasDefaults && names.includes('skills') && !listsSkills(manifest, folder))
    skills.set(`${folder}/skills`, { ...shared, path: `${folder}/skills`, layout })
  for (const { path } of manifest.skills) {
    // A folder of one that is searched anyway would be read twice; one that is a skill itself is not searched.
    const parent = skills.get(path.slice(0, path.lastIndexOf('/')))
    const isSearched = parent !== undefined && parent.mayBeSkill !== true && !/\/(?:\.[^/]*|node_modules)$/.test(path)
    if (!isSearched)
      skills.set(path, { ...shared, path, layout, mayBeSkill: true, ...(path === folder ? { name } : {}) })
  }
  // The plugin's own file alone; its other folders are no skills.
  const own = `${folder}/SKILL.md`
  if (manifest.hasDefaults && names.includes('SKILL.md') && !skills.has(folder))
    skills.set(own, { ...shared, path: own, layout, mayBeSkill: true, name })

  const commandLayout: Layout = { ...layout, holds: 'commands' }
  const byDefault: readonly SkillRoot[] =
    manifest.hasDefaults && names.includes('commands')
      ? [{ ...shared, path: `${folder}/commands`, layout: commandLayout }]
      : []
  const commands = manifest.commands?.flatMap((command): readonly SkillRoot[] =>
    command.source === undefined
      ? []
      : [
          {
            ...shared,
            path: command.source.path,
            layout: commandLayout,
            mayBeSkill: true,
            ...(command.name === undefined ? {} : { name: command.name, adapt: described(command, plugin) }),
          },
        ],
  )
  const given = commands ?? byDefault
  return first === 'skills' ? [...skills.values(), ...given] : [...given, ...skills.values()]
}

/**
 * Whether a manifest picks among what lies in the folder `skills`: then it has what it lists, and not the drafts
 * beside.
 */
export function listsSkills({ skills }: Manifest, folder: string): boolean {
  return skills.some(({ path }) => path.startsWith(`${folder}/skills/`))
}

/**
 * The roots to look into now: what the manifest names among skills may have become a file meanwhile, or a folder again.
 */
export function currentRoots({ roots }: { readonly roots: readonly SkillRoot[] }): readonly SkillRoot[] {
  return roots.filter(
    ({ path, layout, mayBeSkill }) => mayBeSkill !== true || layout?.holds === 'commands' || !isOtherFile(path),
  )
}

/** Whether a path that is named for skills leads to a file that is none: a walk would take any file for a skill. */
export function isOtherFile(path: string): boolean {
  return !/\/SKILL\.md$/i.test(path) && statOf(path)?.isFile() === true
}

/** What the manifest says of a command counts in the place of what its file says. */
function described({ fields: said }: ManifestCommand, { adapt }: RootedPlugin) {
  return (fields: SkillFields, file: SkillFile) => {
    Object.assign(fields, said)
    return adapt(fields, file)
  }
}
