import type { Layout, SkillRoot } from '@skills/files/source'
import type { Manifest, ManifestCommand } from './manifest.js'
import { statOf } from '@skills/files/internal'
import type { SkillFields } from '@skills/skill-md'
import type { SkillFile, SkillPlugin } from '@skills/skill-md/internal'

/** Parts of a plugin from which its roots are made. */
export interface RootedPlugin extends SkillPlugin {
  readonly name: string
  readonly path: string
  readonly manifest: Manifest
  readonly adapt: NonNullable<SkillRoot['adapt']>
}

/** Facts about a plugin's folder that are needed to search it. */
export interface PluginFolderFacts {
  readonly realPath: string
  /** Names of its entries. Missing ones are not searched. */
  readonly names: readonly string[]
  readonly layout: Layout | undefined
  /** Kind that is first and keeps its names. Default: skills. */
  readonly first?: 'skills' | 'commands' | undefined
  /** Search for skills, and their names. Default: by their path. */
  readonly skillNames?: 'path' | 'folder' | undefined
}

/**
 * Returns the roots of a plugin. By default skills come before commands, so that a skill wins over a command of the
 * same name.
 */
export function rootsOfPlugin(
  plugin: RootedPlugin,
  { realPath, names, layout: agents, first = 'skills', skillNames }: PluginFolderFacts,
): readonly SkillRoot[] {
  const { manifest, path: folder, adapt } = plugin
  const isByFolder = skillNames === 'folder'
  const name = isByFolder ? folder.slice(folder.lastIndexOf('/') + 1) : plugin.name
  const shared = { source: 'plugin', qualifier: 'plugin', plugin, adapt, within: [realPath] } as const
  // The folders above a skill are part of its name, so deep ones need not be left out.
  const layout: Layout | undefined = agents?.walk === 'flat' && !isByFolder ? { ...agents, walk: 'deep' } : agents
  /** Options of a root that may be a skill itself. */
  const single = { mayBeSkill: true, ...(isByFolder ? byOwnName(plugin, layout) : { layout }) } as const
  const skills = new Map<string, SkillRoot>()
  if (manifest.standard !== undefined) {
    if (names.includes('skills'))
      skills.set(`${folder}/skills`, { ...shared, path: `${folder}/skills`, layout: { ...agents, ...standardLayout } })
  } else if (manifest.hasDefaults && names.includes('skills') && !listsSkills(manifest, folder))
    skills.set(`${folder}/skills`, { ...shared, path: `${folder}/skills`, layout })
  for (const { path } of manifest.skills) {
    // A folder inside one that is searched anyway would be read twice. A folder that is a skill itself is not searched.
    const parent = skills.get(path.slice(0, path.lastIndexOf('/')))
    const isSearched = parent !== undefined && parent.mayBeSkill !== true && !/\/(?:\.[^/]*|node_modules)$/.test(path)
    if (isSearched) continue
    if (manifest.areFound === true) skills.set(`${path}/`, { ...shared, path, layout })
    else skills.set(path, { ...shared, path, ...single, ...(path === folder ? { name } : {}) })
  }
  // Only the plugin's own file; its other folders are not skills.
  const own = `${folder}/SKILL.md`
  if (manifest.standard === undefined && manifest.hasDefaults && names.includes('SKILL.md') && !skills.has(folder))
    skills.set(own, { ...shared, path: own, ...single, name })

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
  const found = [...skills.values()].map(root => (isByFolder ? { ...root, hasWordNames: true } : root))
  return first === 'skills' ? [...found, ...given] : [...given, ...found]
}

/** Returns how a skill that is a root gets its name from its own `name`, as in Claude Code. */
function byOwnName(plugin: RootedPlugin, layout: Layout | undefined): Pick<SkillRoot, 'layout' | 'adapt'> {
  return {
    layout: { ...layout, names: 'field' },
    adapt: (fields, file) => {
      const given = fields.name?.trim() ?? ''
      const own = given.startsWith(`${plugin.name}:`) ? given.slice(plugin.name.length + 1) : given
      if (own === '') delete fields.name
      else fields.name = `${plugin.name}:${own.replace(/[^A-Za-z0-9_-]/g, '-')}`
      return plugin.adapt(fields, file)
    },
  }
}

/** Layout of the folder `skills` of a plugin of the Agent Plugins standard: each folder directly in it is one skill. */
const standardLayout = { walk: 'flat', otherCase: 'report', skipped: [], mayBeSkill: false } as const satisfies Layout

/**
 * True if a manifest lists some of the skills in the folder `skills`. Only the listed skills are then used, so that
 * drafts beside them stay out.
 */
export function listsSkills({ skills }: Manifest, folder: string): boolean {
  return skills.some(({ path }) => path.startsWith(`${folder}/skills/`))
}

/**
 * Returns the roots to search now. A path among the manifest's skills may have changed from a folder to a file, or
 * back.
 */
export function currentRoots({ roots }: { readonly roots: readonly SkillRoot[] }): readonly SkillRoot[] {
  return roots.filter(
    ({ path, layout, mayBeSkill }) => mayBeSkill !== true || layout?.holds === 'commands' || !isOtherFile(path),
  )
}

/**
 * True if a path for skills leads to a file that is not a skill. Without this check, a walk would read any file as a
 * skill.
 */
export function isOtherFile(path: string): boolean {
  return !/\/SKILL\.md$/i.test(path) && statOf(path)?.isFile() === true
}

/** Applies the manifest's fields of a command over those of its file. */
function described({ fields: said }: ManifestCommand, { adapt }: RootedPlugin) {
  return (fields: SkillFields, file: SkillFile) => {
    Object.assign(fields, said)
    return adapt(fields, file)
  }
}
