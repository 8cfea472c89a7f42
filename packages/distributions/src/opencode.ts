import { processHost, type Host } from '@skills/core'
import { isInside, plainFolder } from '@skills/files'
import { overwrittenAcrossSources } from '@skills/files/source'
import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { compose } from './compose.js'
import { opencodeFrontmatter } from './frontmatter/opencode.js'
import { machinePolicy } from './machine-policy.js'
import { projectLinks } from './project-links.js'
import { largeFile } from './read-as-file.js'
import type { AgentFolder } from '@skills/files/source'
import type { Distribution, DistributionOptions } from './distribution.js'

const isOff = (env: Host['env'], ...names: readonly string[]): boolean =>
  names.some(name => /^(?:1|true)$/i.test(env[name] ?? ''))
/** Folders of other agents, and of all. */
const external = ({ env }: Host): readonly AgentFolder[] => {
  if (isOff(env, 'OPENCODE_DISABLE_EXTERNAL_SKILLS')) return []
  const withoutClaude = isOff(env, 'OPENCODE_DISABLE_CLAUDE_CODE', 'OPENCODE_DISABLE_CLAUDE_CODE_SKILLS')
  return [...(withoutClaude ? [] : [{ name: '.claude' }]), { name: '.agents' }]
}
const skills = ['skill', 'skills']
const configurationFolder = ({ env, home }: Host): string => `${env['XDG_CONFIG_HOME'] || `${home}/.config`}/opencode`
const configuration = (host: Host): readonly AgentFolder[] => [
  { name: configurationFolder(host), skills },
  { name: '.opencode', skills },
]

/**
 * OpenCode's behaviour: skills of `.claude`, `.agents` and `.opencode` up to the repository's root and in the home
 * folder go by the name in their frontmatter, of several the one found last counts, the listing
 * stands as XML in the description of the tool `skill`, and the last wildcard that matches decides. Rules are given as
 * `rules: { wildcards }`. See docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export function opencode(options: DistributionOptions): Distribution {
  const linksTo = projectLinks(options, external, configuration)
  const reach = 'repository-or-all'
  const userConfiguration = plainFolder(configurationFolder(processHost(options.host)))
  return compose(
    {
      name: 'opencode',
      precedence: ['configuration', 'user', 'project'],
      identityOf: () => undefined,
      warningsOf: overwrittenAcrossSources,
      layout: {
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
        fields: { only: ['name', 'description'] },
      },
      sources: reading => [
        ...machinePolicy(options.managed),
        projectSource({ folders: external, linksTo, reach, wins: 'last', ...reading }),
        userSource({ folders: external, wins: 'last', ...reading }),
        projectSource({
          id: 'project-configuration',
          source: 'configuration',
          folders: [{ name: '.opencode', skills }],
          linksTo,
          reach,
          wins: 'last',
          ...reading,
          layout: { ...reading.layout, skipped: ['hidden'] },
        }),
        userSource({
          id: 'user-configuration',
          source: 'configuration',
          order: 1,
          folders: configuration,
          wins: 'last',
          ...reading,
          layout: { ...reading.layout, skipped: ['hidden'] },
        }),
      ],
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
        sources: {
          configuration: ({ filePath = '' }) => (isInside(filePath, userConfiguration) ? 'trusted' : 'folder'),
        },
      },
      tool: {
        name: 'skill',
        description: '',
        nameParameter: 'name',
        takesArgs: false,
        listingIn: 'description',
        textIn: 'result',
        texts: {
          unknown: (name, available) =>
            `Skill "${name}" not found. Available skills: ${available.join(', ') || 'none'}`,
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
    },
    options,
  )
}
