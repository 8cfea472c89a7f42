import { isInside, plainFolder, type ProjectReach, type AgentFolder } from '@skills/files/internal'
import { overwrittenAcrossSources } from '@skills/files/source'
import { largeFile } from '../../read-as-file.js'
import { opencodeFrontmatter } from './frontmatter.js'
import type { Definition, Row } from '../../define-distribution.js'
import type { Host } from '@skills/core'
import type { SkillReading } from '../../parts.js'
import type { TrustOptions } from '@skills/trust'
import type { WildcardSource } from '@skills/permission-rules/internal'

/** Layout of OpenCode's folders of skills, which Kilo Code has too. */
export const opencodeLayout = {
  nested: true,
  mayBeSkill: true,
  otherCase: 'report',
  fileBytes: largeFile,
  dialect: opencodeFrontmatter,
  fallback: { from: 'nothing', otherwise: '' },
  skipped: [],
  depth: Infinity,
  folders: Infinity,
  names: 'field',
  fields: { only: ['name', 'description'], keepsSpace: true },
} as const satisfies Definition['layout']

const skills = ['skill', 'skills']

/** Returns the absolute path of the user's OpenCode configuration. */
export function configurationFolder({ env, home }: Host): string {
  return `${env['XDG_CONFIG_HOME'] || `${home}/.config`}/opencode`
}

interface OpencodeFolders {
  /** Folders of other agents, in the project and in the home folder. */
  readonly others: (host: Host) => readonly AgentFolder[]
  /** Further folders of its own in the home folder, besides that of the configuration. */
  readonly own?: readonly string[]
  readonly reach: ProjectReach
  /** False to ask about every skill. Default: a skill that is only read needs no permission. */
  readonly safe?: boolean
  /** Rules of its settings. */
  readonly wildcards?: readonly WildcardSource[]
  /** Trust in further sources. */
  readonly trusts?: TrustOptions['sources']
}

/**
 * Options that all releases of OpenCode share: the order of their folders, and the tool `skill` with the listing in its
 * description. Its result has the text of the skill.
 */
export const opencodeLike = {
  precedence: ['configuration', 'user', 'project'],
  identityOf: () => undefined,
  warningsOf: overwrittenAcrossSources,
  visibility: { isDescribed: ({ description }) => description !== '' },
  leavesOutDenied: 'agents',
  tool: {
    name: 'skill',
    description: '',
    nameParameter: 'name',
    takesArgs: false,
    listingIn: 'description',
    texts: {
      unknown: (name, available) => `Skill "${name}" not found. Available skills: ${available.join(', ') || 'none'}`,
    },
    asks: ({ name }) => ({ permission: 'skill', patterns: [name], always: [name], metadata: {} }),
    resultDetails: (_outcome, given) =>
      given && {
        title: `Loaded skill: ${given.entry.name}`,
        metadata: {
          name: given.entry.name,
          dir: given.entry.command.type === 'prompt' ? given.entry.command.baseDir : undefined,
        },
      },
  },
} as const satisfies Partial<Definition>

/** Returns the rows of all releases of OpenCode: where skills are found, and what they need permission for. */
export function opencodeParts(
  host: Host,
  { others, own = [], reach, safe = true, wildcards = [], trusts }: OpencodeFolders,
): readonly Row[] {
  const userConfiguration = plainFolder(configurationFolder(host))
  const wins = 'last' as const
  const configured = ({ layout }: SkillReading) =>
    ({ wins, source: 'configuration', layout: { ...layout, skipped: ['hidden'] } }) as const
  return [
    ['project', { folders: others, reach, wins }],
    ['user', { folders: others, wins, configDir: false }],
    [
      'project',
      how => ({ ...configured(how), id: 'project-configuration', folders: [{ name: '.opencode', skills }], reach }),
    ],
    [
      'user',
      how => ({
        ...configured(how),
        id: 'user-configuration',
        order: 1,
        folders: at => [configurationFolder(at), ...own].map(name => ({ name, skills })),
      }),
    ],
    ['inline', { trims: true, repeated: 'whole' }],
    ['listing', { strategy: 'xml' }],
    ['rules', { files: [], safe, wildcards }],
    [
      'trust',
      {
        // The user's configuration is trusted as the user's own; that of a project depends on its folder.
        sources: {
          configuration: ({ filePath = '' }) => (isInside(filePath, userConfiguration) ? 'trusted' : 'folder'),
          ...trusts,
        },
      },
    ],
  ]
}
