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
    '--offline': 'Ask no source for what the cache lacks',
    '--force': 'Replace what stands in the place of a skill and was not put there by this program',
    ...agreement,
    ...progress,
    ...json,
  },
  details: [
    'Out of the cache, and from the sources as they are pinned.',
    'Exits with 1 when something differs in the end.',
    'Asks once before it writes what a lock names that no one here agreed to.',
    'CI=true is no answer.',
  ],
})
