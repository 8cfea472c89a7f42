import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { json, progress } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 2,
  args: 'SOURCE',
  refuses: lookingFlags,
  text: 'Look at skills of a source without installing them',
  options: { '--skill <name>...': 'Show this skill of the source, by name or path; repeatable', ...progress, ...json },
  details: [
    'SOURCE is as for skills add. Nothing is installed, and no part of a skill runs.',
    'Of several skills it lists the names, powers and descriptions. Of one it shows what it can do, the fields that agents ignore, and the text that a model would get.',
  ],
})
