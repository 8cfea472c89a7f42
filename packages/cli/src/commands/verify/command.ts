import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { json, scope } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 7,
  refuses: lookingFlags,
  text: 'Show which installed files differ from the lock',
  options: { ...scope, ...json },
  details: ['It changes nothing.', 'Exits with 1 if something differs.'],
})
