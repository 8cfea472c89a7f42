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
    '--out <dir>': 'Put the tarball into this folder; the folder is created if it is missing',
    '--scripts': "Run the package's prepack, prepare and postpack scripts",
    ...json,
  },
  details: [
    'Every skill is loaded from the tarball before the tarball is put in its place.',
    'DIR is the folder of the plugin (default: the working folder).',
    'Without --out the tarball goes into the working folder.',
  ],
})
