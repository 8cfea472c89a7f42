import { findProjectFolders } from '@skills/files'
import { isInside, plainFolder } from '@skills/files/internal'
import { configurationFolder } from './parts.js'
import { namedFolders, settingsIn, unused, type Settings, type SettingsPlace } from '../../program-settings.js'
import type { Host, Plugin } from '@skills/core'
import type { SkillReading } from '../../parts.js'

// From OpenCode's public source, not recorded: folders of `skills.paths` come after all others, so that they win, and
// are relative to the working folder. There, a project's list replaces the user's; here, both apply.

const fileNames = ['config.json', 'opencode.json', 'opencode.jsonc']

/** Returns the settings files, those that win last. */
export function settingsPlaces(host: Host): readonly SettingsPlace[] {
  const inProject = findProjectFolders(host)
    .folders.toReversed()
    .flatMap(folder => [folder, `${folder}/.opencode`])
  return [
    ...fileNames.map(name => ({ path: `${plainFolder(configurationFolder(host))}/${name}`, isProject: false })),
    ...inProject.flatMap(folder => fileNames.slice(1).map(name => ({ path: `${folder}/${name}`, isProject: true }))),
  ]
}

/** Returns the folders of `skills.paths`. Addresses in `skills.urls` are reported: nothing is fetched. */
function settings(host: Host): Settings {
  const places = settingsPlaces(host)
  const { entries, problems } = settingsIn(host, places, ['skills', 'paths'])
  const urls = settingsIn(host, places, ['skills', 'urls'])
  // A file that cannot be read is reported once.
  const more = urls.problems.filter(
    one => !problems.some(({ path, message }) => path === one.path && message === one.message),
  )
  const fetched = urls.entries.map(entry =>
    unused(
      entry,
      `${entry.text} is not fetched: skills from \`skills.urls\` are not supported.`,
      'Download those skills, and name their folder in `skills.paths`.',
    ),
  )
  return { entries, problems: [...problems, ...more, ...fetched] }
}

/** Sources and trust for the folders that `opencode.json` of the user and of the project name. */
export const opencodeNamed = {
  // The user's first, so that no project takes a name from a skill that the user added.
  precedence: ['user-settings', 'settings'],
  sources: (reading: SkillReading): readonly Plugin[] =>
    [true, false].map(isProject =>
      namedFolders({
        id: isProject ? 'settings' : 'user-settings',
        source: isProject ? 'settings' : 'user-settings',
        isProject,
        settings,
        base: ({ cwd }) => cwd,
        wins: 'last',
        ...reading,
      }),
    ),
  /**
   * Returns the trust in these folders. A relative path of the user's leads into any project and to the project's
   * files.
   */
  trust(host: Host) {
    let top: string | undefined
    return {
      settings: 'folder',
      'user-settings': ({ filePath = '' }: { readonly filePath?: string | undefined }) => {
        top ??= findProjectFolders(host).top
        return isInside(filePath, top) ? 'folder' : 'trusted'
      },
    } as const
  },
} as const
