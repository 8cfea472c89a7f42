import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { ofRuns } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 8,
  args: 'ID',
  refuses: lookingFlags,
  text: 'Cancel a run, even if another process is working on it',
  options: { ...ofRuns },
})
