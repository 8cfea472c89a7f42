import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { ofRuns } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 9,
  args: 'ID',
  refuses: lookingFlags,
  text: 'Queue a failed, cancelled or indeterminate run again',
  options: { '--fresh': 'Start from the beginning, and repeat calls that finished', ...ofRuns },
  details: ['Without --fresh the run continues and repeats no finished call.'],
})
