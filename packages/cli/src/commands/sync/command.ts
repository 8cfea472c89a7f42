import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { agreement, force, json, progress, scope } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 5,
  refuses: lookingFlags,
  text: 'Give every agent every installed skill, by a link or a copy',
  options: {
    '--agent <name>...': 'For this agent too, as codex or claude-code, from now on; may be repeated',
    ...scope,
    ...force,
    ...agreement,
    ...progress,
    ...json,
  },
  details: ['What an agent needs is found out by its distribution.', 'Agents are remembered in skills.json.'],
})
