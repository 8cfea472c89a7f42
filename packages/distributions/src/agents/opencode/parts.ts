import { processHost, type Host } from '@skills/core'
import { isInside, plainFolder, type ProjectReach } from '@skills/files'
import { overwrittenAcrossSources } from '@skills/files/source'
import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { machinePolicy } from '../../machine-policy.js'
import { projectLinks } from '../../project-links.js'
import type { AgentFolder } from '@skills/files/source'
import type { DistributionOptions, DistributionParts } from '../../distribution.js'

const skills = ['skill', 'skills']

/** Where the user keeps OpenCode's configuration, absolute. */
export function configurationFolder({ env, home }: Host): string {
  return `${env['XDG_CONFIG_HOME'] || `${home}/.config`}/opencode`
}

interface OpencodeFolders {
  /** Folders of other agents, in the project and in the home folder. */
  readonly others: (host: Host) => readonly AgentFolder[]
  /** Its own folders in the home folder besides that of the configuration. */
  readonly own?: readonly string[]
  readonly reach: ProjectReach
}

/**
 * What the releases of OpenCode have in common: the order of their folders, the tool `skill` with the listing in its
 * description, and what of a body stands for something.
 */
export function opencodeParts(
  options: DistributionOptions,
  { others, own = [], reach }: OpencodeFolders,
): Omit<DistributionParts, 'name'> {
  const configuration = (host: Host): readonly AgentFolder[] =>
    [configurationFolder(host), ...own].map(name => ({ name, skills }))
  const linksTo = projectLinks(options, others, configuration)
  const userConfiguration = plainFolder(configurationFolder(processHost(options.host)))
  return {
    precedence: ['configuration', 'user', 'project'],
    identityOf: () => undefined,
    warningsOf: overwrittenAcrossSources,
    sources: reading => {
      const found = { wins: 'last', ...reading } as const
      const configured = {
        ...found,
        source: 'configuration',
        layout: { ...reading.layout, skipped: ['hidden'] },
      } as const
      return [
        ...machinePolicy(options.managed),
        projectSource({ folders: others, linksTo, reach, ...found }),
        userSource({ folders: others, ...found }),
        projectSource({
          id: 'project-configuration',
          folders: [{ name: '.opencode', skills }],
          linksTo,
          reach,
          ...configured,
        }),
        userSource({ id: 'user-configuration', order: 1, folders: configuration, ...configured }),
      ]
    },
    visibility: { isDescribed: ({ description }) => description !== '' },
    text: {
      header: ({ name, baseDir = '' }) => `## Skill: ${name}\n\n**Base directory**: ${baseDir}`,
      arguments: false,
      variables: 'none',
      baseDirBraces: false,
      escapes: 'none',
    },
    shell: { inline: 'anywhere', fences: 'look' },
    files: {},
    inline: { trims: true, repeated: 'whole' },
    listing: { strategy: 'xml' },
    leavesOutDenied: 'agents',
    rules: { files: [], safe: false },
    // The configuration of the user is the user's own, and that of a project goes by its folder.
    trust: {
      sources: { configuration: ({ filePath = '' }) => (isInside(filePath, userConfiguration) ? 'trusted' : 'folder') },
    },
    tool: {
      name: 'skill',
      description: '',
      nameParameter: 'name',
      takesArgs: false,
      listingIn: 'description',
      textIn: 'result',
      texts: {
        unknown: (name, available) => `Skill "${name}" not found. Available skills: ${available.join(', ') || 'none'}`,
      },
      asks: ({ name }) => ({ permission: 'skill', patterns: [name], always: [name], metadata: {} }),
      resultText: (_outcome, given) => given?.text,
      resultDetails: (_outcome, given) =>
        given && {
          title: `Loaded skill: ${given.entry.name}`,
          metadata: {
            name: given.entry.name,
            dir: given.entry.command.type === 'prompt' ? given.entry.command.baseDir : undefined,
          },
        },
    },
  }
}
