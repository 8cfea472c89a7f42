import { plainFolder, slashes } from '@skills/files/internal'
import { fileWithFalse, settingsGate, settingsIn, type SettingsPlace } from '../../program-settings.js'
import type { Host, Plugin } from '@skills/core'

function placesOf({ home, cwd }: Host): readonly SettingsPlace[] {
  return [
    ...(home === '' ? [] : [{ path: `${slashes(home)}/.gemini/settings.json`, isProject: false }]),
    { path: `${plainFolder(cwd)}/.gemini/settings.json`, isProject: true },
  ]
}

/**
 * Hides from models the skills that the settings of Gemini CLI name, in any letter case, and all skills if
 * `skills.enabled` is false. According to its public
 * documentation, the settings of a project are added to those of the user.
 */
export const geminiSettings = (): readonly Plugin[] =>
  settingsGate(host => {
    const { entries, problems } = settingsIn(host, placesOf(host), ['skills', 'disabled'])
    const off = fileWithFalse(host, placesOf(host), ['skills', 'enabled'])
    const files = new Map(entries.map(({ text, path }) => [text.toLowerCase(), path]))
    const dormant = ({ name }: { readonly name: string }): string | undefined => {
      if (off !== undefined) return `\`skills.enabled\` is false in ${off}.`
      const file = files.get(name.toLowerCase())
      return file && `It is in \`skills.disabled\` of ${file}.`
    }
    return { key: JSON.stringify([entries, off]), rules: { dormant }, problems }
  })
