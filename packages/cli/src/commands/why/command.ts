import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { json, scope } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 8,
  args: 'NAME',
  refuses: lookingFlags,
  text: 'Show the source and pinned version of an installed skill',
  options: { ...scope, ...json },
  details: ['Exits with 1 if no skill of the name is installed.'],
})
