import { resolve } from 'node:path'
import { slashes } from '@skills/files/internal'
import { settingsGate, settingsIn } from '../../program-settings.js'
import type { Host, Plugin } from '@skills/core'

/** Returns the folder of Copilot's settings and skills: a name in the home folder, or an absolute path. */
export const copilotHome = ({ env }: Host): string => env['COPILOT_HOME'] || '.copilot'

/**
 * Leaves out the skills that `disabledSkills` of the user's settings names, in the same letters. A project's settings
 * switch no skills off.
 */
export const copilotSettings = (): readonly Plugin[] =>
  settingsGate(host => {
    const path = `${slashes(resolve(host.home, copilotHome(host)))}/settings.json`
    const { entries, problems } = settingsIn(host, [{ path, isProject: false }], ['disabledSkills'])
    const off = new Set(entries.map(({ text }) => text))
    return {
      key: JSON.stringify(entries),
      rules: { command: ({ name }) => (off.has(name) ? `It is in \`disabledSkills\` of ${path}.` : undefined) },
      problems,
    }
  })
