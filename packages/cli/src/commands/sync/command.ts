import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { agreement, force, json, progress, scope } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 5,
  refuses: lookingFlags,
  text: 'Give every agent every installed skill, by a link or a copy',
  options: {
    '--agent <name>...': 'Also give this agent, such as codex, every skill, now and in the future; repeatable',
    ...scope,
    ...force,
    ...agreement,
    ...progress,
    ...json,
  },
  details: [
    'The distribution of an agent decides whether that agent needs a link, a copy or nothing.',
    'The agents are saved in skills.json.',
  ],
})
