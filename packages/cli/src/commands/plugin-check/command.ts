import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 12,
  args: '[DIR]',
  refuses: lookingFlags,
  text: 'Check a plugin or a marketplace as a host would load it',
  options: { '--npm': 'Also check package.json, and which files npm would leave out', ...json },
  details: ['DIR is the folder of the plugin (default: the working folder).', 'Exits with 1 if there are errors.'],
})
