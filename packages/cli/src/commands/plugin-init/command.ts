import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 11,
  args: '[NAME]',
  refuses: lookingFlags,
  text: 'Create a plugin that npm can publish, here or in a new folder',
  options: {
    '--description <text>': 'What the plugin is for',
    '--standard': 'Also write plugin.json, the manifest of the Agent Plugins standard',
    ...json,
  },
  details: [
    'NAME is the name of the npm package, such as acme-tools or @acme/tools; its last part names the folder.',
    'Without a NAME the working folder becomes the plugin.',
    'No file is overwritten. An existing package.json keeps its fields; missing ones are added.',
  ],
})
