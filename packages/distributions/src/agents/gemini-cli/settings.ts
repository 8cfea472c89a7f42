import { defineProvider, type GateRules, type Host, type Plugin } from '@skills/core'
import { plainFolder, slashes } from '@skills/files/internal'
import { fileSource } from '@skills/files/source'
import { fileWithFalse, settingsIn, type Settings, type SettingsPlace } from '../../program-settings.js'

function placesOf({ home, cwd }: Host): readonly SettingsPlace[] {
  return [
    ...(home === '' ? [] : [{ path: `${slashes(home)}/.gemini/settings.json`, isProject: false }]),
    { path: `${plainFolder(cwd)}/.gemini/settings.json`, isProject: true },
  ]
}

/** Returns `skills.disabled` of the user's settings and of those in the working folder together. */
function disabledBy(host: Host): Settings {
  return settingsIn(host, placesOf(host), ['skills', 'disabled'])
}

/**
 * Hides from models the skills that the settings of Gemini CLI name, in any letter case, and all skills if
 * `skills.enabled` is false. According to its public
 * documentation, the settings of a project are added to those of the user.
 */
export function geminiSettings(): readonly Plugin[] {
  return [
    defineProvider({
      kind: 'gate',
      id: 'settings',
      setup({ host }) {
        let before: { readonly key: string; readonly rules: GateRules } | undefined
        return {
          rules() {
            const { entries } = disabledBy(host)
            const off = fileWithFalse(host, placesOf(host), ['skills', 'enabled'])
            const key = JSON.stringify([entries, off])
            const files = new Map(entries.map(({ text, path }) => [text.toLowerCase(), path]))
            const dormant = ({ name }: { readonly name: string }): string | undefined => {
              if (off !== undefined) return `\`skills.enabled\` is false in ${off}.`
              const file = files.get(name.toLowerCase())
              return file && `It is in \`skills.disabled\` of ${file}.`
            }
            // Returning the same object as in the load before means that nothing changed.
            if (before?.key !== key) before = { key, rules: { dormant } }
            return before.rules
          },
        }
      },
    }),
    // Reports problems of the files.
    fileSource({
      id: 'settings',
      source: 'user',
      roots: host => ({ roots: [], diagnostics: disabledBy(host).problems }),
    }),
  ]
}
