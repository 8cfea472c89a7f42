import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { queue } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 6,
  args: 'ID',
  refuses: lookingFlags,
  text: 'Follow a run as it happens, until it ends or asks something',
  options: {
    '--dir <dir>': 'Folder where the host keeps its runs (default: in your state folder)',
    ...queue,
    '--json': 'Print JSON, one journal entry a line',
  },
  details: ['Exits with 0 if the run is done, with 1 if it failed, was cancelled or waits for an answer.'],
})
