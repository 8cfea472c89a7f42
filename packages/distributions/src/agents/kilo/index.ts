import { findProjectFolders } from '@skills/files'
import { isInside, plainFolder, type AgentFolder } from '@skills/files/internal'
import { defineDistribution } from '../../define-distribution.js'
import { byName, draftFrom, inXml, listedEntry, ownListing, shownDescription } from '../../own-listing.js'
import { fileParts } from '../../read-as-file.js'
import { kiloFrontmatter } from '../opencode/frontmatter.js'
import { opencodeLayout } from '../opencode/parts.js'
import { opencodePermission } from '../opencode/permission.js'
import { skillContent, untouchedText } from '../opencode/skill-content.js'
import type { Host } from '@skills/core'
import type { SkillReading } from '../../parts.js'
import type { SettingsPlace } from '../../program-settings.js'

declare module '@skills/invocation/skill-tool' {
  interface Strategies {
    kilo: true
  }
}

const others = [{ name: '.claude' }, { name: '.agents' }]
const skills = ['skills', 'skill']
const own: readonly AgentFolder[] = ['.kilocode', '.kilo'].map(name => ({ name, skills }))

/** Returns the absolute path of the user's configuration of Kilo. */
const configuration = ({ env, home }: Host): string => `${env['XDG_CONFIG_HOME'] || `${home}/.config`}/kilo`

/** Names of the settings files, in the user's folder and in those of a project. The last wins. */
const settingsNames = ['opencode.json', 'opencode.jsonc', 'kilo.json', 'kilo.jsonc']

/** Returns the settings files, by Kilo's documents. */
function settingsPlaces(host: Host): readonly SettingsPlace[] {
  const named = (folder: string, isProject: boolean): readonly SettingsPlace[] =>
    settingsNames.map(name => ({ path: `${folder}/${name}`, isProject }))
  const users = [configuration(host), ...['.opencode', '.kilocode', '.kilo'].map(name => `${host.home}/${name}`)]
  return [
    { path: `${plainFolder(configuration(host))}/config.json`, isProject: false },
    ...users.flatMap(folder => named(plainFolder(folder), false)),
    ...findProjectFolders(host)
      .folders.toReversed()
      .flatMap(folder => ['', '/.opencode', '/.kilocode', '/.kilo'].flatMap(name => named(`${folder}${name}`, true))),
  ]
}

const listing = ownListing(
  'kilo',
  ordered => {
    const entries = ordered.map(entry => {
      const description = shownDescription(entry)
      const { command } = entry
      const file = command.type === 'prompt' ? (command.filePath ?? '') : ''
      return listedEntry(
        entry,
        `  <skill>\n    <name>${inXml(entry.name)}</name>\n    <description>${inXml(description)}</description>\n    <location>${inXml(file)}</location>\n  </skill>`,
        description,
      )
    })
    if (entries.length === 0) return draftFrom('No skills are currently available.', [])
    const lines = [
      'Skills provide specialized instructions and workflows for specific tasks.',
      'Use the skill tool to load a skill when a task matches its description.',
      '<available_skills>',
      ...entries.map(({ text }) => text),
      '</available_skills>',
    ]
    return draftFrom(lines.join('\n'), entries)
  },
  byName,
)

/**
 * Distribution that follows the command line of Kilo Code: skills of `.claude` and `.agents` of the user and up to the
 * repository's root, then of `~/.config/kilo`, of `.kilo` and `.kilocode` up to the repository's root, and of those two
 * in the home folder. If several have the same name, the one found last wins. No command of a body is run. Skills that
 * `permission` of `kilo.json` denies are not listed. See docs/reference/distributions.md, "Distributions", and
 * docs/conformance.md.
 */
export const kilo = defineDistribution({
  name: 'kilo',
  checked: { program: 'Kilo Code', version: '7.7.9', on: '2026-11-26' },
  traces: {
    programs: ['kilo', 'kilocode'],
    home: ['.kilo', '.kilocode', '.config/kilo'],
    project: ['.kilo', '.kilocode', 'kilo.json', 'kilo.jsonc'],
  },
  says: '`.claude`, `.agents`, `.kilo` and `.kilocode` up to the repository and of the user, frontmatter as OpenCode reads it, all descriptions',
  precedence: ['configuration', 'project', 'user'],
  identityOf: () => undefined,
  leavesOutDenied: true,
  visibility: { isDescribed: ({ description }) => description !== '' },
  layout: { ...opencodeLayout, dialect: kiloFrontmatter },
  tool: { name: 'skill', nameParameter: 'name', takesArgs: false, listingIn: 'system', textIn: skillContent },
  plugins: ({ host }) => {
    const configured = ({ layout }: SkillReading, order: number) =>
      ({ wins: 'last', source: 'configuration', order, layout: { ...layout, skipped: ['hidden'] } }) as const
    const owned = [configuration(host), ...own.map(({ name }) => `${host.home}/${name}`)].map(plainFolder)
    return [
      ['project', { folders: others, reach: 'repository-or-all', wins: 'last' }],
      // Claude Code's variable moves nothing for Kilo.
      ['user', { folders: others, wins: 'last', configDir: false }],
      ['user', how => ({ ...configured(how, 0), id: 'user-kilo', folders: own })],
      [
        'project',
        how => ({ ...configured(how, 1), id: 'project-kilo', folders: own, reach: 'repository-or-all' as const }),
      ],
      [
        'user',
        how => ({
          ...configured(how, 2),
          id: 'user-configuration',
          folders: at => [{ name: configuration(at), skills }],
        }),
      ],
      ...fileParts,
      ...untouchedText,
      [
        'rules',
        {
          files: [],
          allow: ['Skill'],
          wildcards: opencodePermission(host, { name: 'kilo.json', places: settingsPlaces, agents: ['build', 'code'] }),
        },
      ],
      ['listing', { strategy: 'kilo' }],
      listing,
      [
        'trust',
        {
          sources: {
            configuration: ({ filePath = '' }) =>
              owned.some(folder => isInside(filePath, folder)) ? 'trusted' : 'folder',
          },
        },
      ],
    ]
  },
})
