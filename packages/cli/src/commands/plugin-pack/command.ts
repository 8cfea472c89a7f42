import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 13,
  args: '[DIR]',
  refuses: lookingFlags,
  text: 'Check a plugin, and make the tarball that npm publishes',
  options: {
    '--out <dir>': 'Put the tarball there; the folder is made if it is missing',
    '--scripts': 'Run what the package has for packing: its prepack, prepare and postpack',
    ...json,
  },
  details: [
    'Every skill is loaded from the tarball before it is put in its place.',
    'DIR is the folder of the plugin; without one the present folder.',
    'The tarball is put into the present folder.',
  ],
})
