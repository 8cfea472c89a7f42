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
    '--dir <dir>': 'Where the host keeps its runs, if not in your state folder',
    ...queue,
    '--json': 'Print JSON, one entry of its journal a line',
  },
  details: ['Exits with 0 when it is done, with 1 when it failed, was cancelled or waits for an answer.'],
})
