import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { json, progress, scope } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 4,
  refuses: lookingFlags,
  text: 'List installed skills whose source has changed',
  options: { ...scope, ...progress, ...json },
  details: ['Exits with 1 if any are outdated.'],
})
