import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { agreement, json, progress, scope } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 6,
  refuses: lookingFlags,
  text: 'Make the folders exactly what the lock says',
  options: {
    ...scope,
    '--offline': 'Use the cache alone; contact no source',
    '--force': 'Replace a folder that is in the place of a skill but was not put there by this program',
    ...agreement,
    ...progress,
    ...json,
  },
  details: [
    'Skills come from the cache, else from their sources at the pinned version. What was changed by hand is put back.',
    'Exits with 1 if a folder still differs from the lock.',
    'Before it writes skills of a lock that you have not agreed to on this machine, it asks once.',
    'CI=true does not count as a yes.',
  ],
})
