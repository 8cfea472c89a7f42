import path from 'node:path'
import { readJsonFile } from '@skills/files'
import { plainFolder, slashes } from '@skills/files/internal'
import { listsIn, settingsGate, type Setting, type SettingsPlace } from '../../program-settings.js'
import type { Host, Plugin } from '@skills/core'
import type { NarrowingSource } from '@skills/permission-rules/internal'

/** Folders of the machine's settings, by platform. */
const machine: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support/QwenCode',
  win32: 'C:/ProgramData/qwen-code',
}

/** Returns the absolute path of the user's folder. */
export function qwenHome({ env, home, cwd }: Host): string {
  return slashes(path.resolve(cwd, (env['QWEN_HOME'] || '~/.qwen').replace(/^~(?=\/|$)/, home)))
}

/** Returns the settings files. With all but the last, Qwen Code starts only if it can read them. */
function placesOf(host: Host): readonly SettingsPlace[] {
  const { env, platform, cwd } = host
  const folder = machine[platform] ?? '/etc/qwen-code'
  return [
    { path: env['QWEN_CODE_SYSTEM_DEFAULTS_PATH'] || `${folder}/system-defaults.json`, isProject: false },
    { path: env['QWEN_CODE_SYSTEM_SETTINGS_PATH'] || `${folder}/settings.json`, isProject: false },
    { path: `${qwenHome(host)}/settings.json`, isProject: false },
    { path: `${plainFolder(cwd)}/.qwen/settings.json`, isProject: true },
  ]
}

/** Replaces variables of the environment, as Qwen Code does in every text. */
function textOf({ text }: Setting, { env }: Host): string {
  return text.replace(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (all, braced?: string, plain?: string) => env[braced ?? plain ?? ''] ?? all,
  )
}

/** Returns the path of a file without which Qwen Code does not start: JSON with comments, but no commas too many. */
function broken(places: readonly SettingsPlace[]): string | undefined {
  return places.find(({ path: at, isProject }) => {
    if (isProject) return false
    const file = readJsonFile(at, { code: 'program-settings', what: 'The settings file', comments: true })
    if (file === undefined) return false
    if ('severity' in file) return true
    try {
      JSON.parse(file.text)
      return false
    } catch {
      return true
    }
  })?.path
}

/**
 * Leaves out the skills that the settings of Qwen Code switch off, those of all files together: `skills.disabled`,
 * `skills.defaultDisabled` without `skills.enabled`, `slashCommands.disabled`, and `skills.disabledLevels`.
 */
export const qwenSettings = (): readonly Plugin[] =>
  settingsGate(host => {
    const places = placesOf(host)
    const { lists, problems } = listsIn(host, places, {
      disabled: ['skills', 'disabled'],
      byDefault: ['skills', 'defaultDisabled'],
      enabled: ['skills', 'enabled'],
      typed: ['slashCommands', 'disabled'],
      levels: ['skills', 'disabledLevels'],
    })
    const names = (settings: readonly Setting[]): readonly string[] =>
      settings.map(one => textOf(one, host).trim().toLowerCase())
    const enabled = names(lists.enabled)
    const off = new Map([
      ...[...names(lists.typed), ...(host.env['QWEN_DISABLED_SLASH_COMMANDS'] ?? '').toLowerCase().split(',')].map(
        name => [name.trim(), '`slashCommands.disabled`'] as const,
      ),
      ...names(lists.byDefault)
        .filter(name => !enabled.includes(name))
        .map(name => [name, '`skills.defaultDisabled`'] as const),
      ...names(lists.disabled).map(name => [name, '`skills.disabled`'] as const),
    ])
    const levels = names(lists.levels)
    const unread = broken(places)
    return {
      key: JSON.stringify([[...off], levels, unread]),
      rules: {
        source: source => (levels.includes(source) ? `\`skills.disabledLevels\` names ${source}.` : undefined),
        command({ name }) {
          if (unread !== undefined) return `Qwen Code does not start until ${unread} is corrected.`
          const by = off.get(name.toLowerCase())
          return by && `The settings of Qwen Code name it in ${by}.`
        },
      },
      problems,
    }
  })

/** Returns the rules about the tool `skill` in the settings, by Qwen Code's documents. They only restrict. */
export function qwenPermission(host: Host): NarrowingSource {
  return {
    source: 'settings.json',
    narrowing() {
      const { lists } = listsIn(host, placesOf(host), {
        ask: ['permissions', 'ask'],
        deny: ['permissions', 'deny'],
        exclude: ['tools', 'exclude'],
        disabled: ['tools', 'disabled'],
      })
      const map = (settings: readonly Setting[], behavior: 'ask' | 'deny') =>
        settings.flatMap(one => {
          const [, name] = /^\s*skill(?:tool)?\s*(?:\((.*)\))?\s*$/is.exec(textOf(one, host)) ?? [
            undefined,
            false as const,
          ]
          return name === false ? [] : [{ skill: { [name?.trim() || '*']: behavior } }]
        })
      return [
        ...map(lists.ask, 'ask'),
        ...[lists.deny, lists.exclude, lists.disabled].flatMap(list => map(list, 'deny')),
      ]
    },
  }
}
