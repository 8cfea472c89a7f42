import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { ofRuns } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 9,
  args: 'ID',
  refuses: lookingFlags,
  text: 'Queue a run again that failed, was cancelled or is indeterminate',
  options: { '--fresh': 'Start from the beginning; nothing that the run did counts', ...ofRuns },
  details: ['Without --fresh no finished call is repeated.'],
})
