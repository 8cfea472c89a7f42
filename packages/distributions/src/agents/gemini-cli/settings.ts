import { defineProvider, type GateRules, type Host, type Plugin } from '@skills/core'
import { plainFolder, slashes } from '@skills/files/internal'
import { fileSource } from '@skills/files/source'
import { settingsIn, type Settings } from '../../program-settings.js'

/** `skills.disabled` of the user's settings and of those in the working folder, which join. */
function disabledBy(host: Host): Settings {
  return settingsIn(
    host,
    [
      ...(host.home === '' ? [] : [{ path: `${slashes(host.home)}/.gemini/settings.json`, isProject: false }]),
      { path: `${plainFolder(host.cwd)}/.gemini/settings.json`, isProject: true },
    ],
    ['skills', 'disabled'],
  )
}

/**
 * Keeps models from the skills that Gemini CLI's settings name, in any letters. That the settings of a project join
 * those of the user is from its public documentation.
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
            const key = JSON.stringify(entries)
            const files = new Map(entries.map(({ text, path }) => [text.toLowerCase(), path]))
            const dormant = ({ name }: { readonly name: string }): string | undefined => {
              const file = files.get(name.toLowerCase())
              return file && `It is in \`skills.disabled\` of ${file}.`
            }
            // The very object of the load before says that nothing changed.
            if (before?.key !== key) before = { key, rules: { dormant } }
            return before.rules
          },
        }
      },
    }),
    // Tells what is wrong with the files.
    fileSource({
      id: 'settings',
      source: 'user',
      roots: host => ({ roots: [], diagnostics: disabledBy(host).problems }),
    }),
  ]
}
