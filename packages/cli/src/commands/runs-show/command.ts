import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { ofRuns } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 5,
  args: 'ID',
  refuses: lookingFlags,
  text: 'Show one run: what it did, what it asks, its result',
  options: { ...ofRuns },
  details: ['You see how long each step took. --json prints the whole journal, with the result of each call.'],
})
