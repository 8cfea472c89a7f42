import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { agreement, force, json, progress, scope } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 5,
  refuses: lookingFlags,
  text: 'Give every agent every installed skill, by a link or a copy',
  options: {
    '--agent <name>...': 'Also for this agent, such as codex, now and from now on; repeatable',
    ...scope,
    ...force,
    ...agreement,
    ...progress,
    ...json,
  },
  details: ['The distribution of an agent says what that agent needs.', 'Agents are remembered in skills.json.'],
})
