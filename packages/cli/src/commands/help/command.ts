import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 15,
  args: '[COMMAND]',
  most: 2,
  refuses: lookingFlags,
  text: 'Show this help, or the options of one command',
})
