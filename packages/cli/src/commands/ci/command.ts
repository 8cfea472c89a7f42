import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { agreement, json, progress, scope } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 6,
  refuses: lookingFlags,
  text: 'Make the installed skills match the lock exactly',
  options: {
    ...scope,
    '--offline': 'Use the cache alone; contact no source',
    '--force': 'Replace files that were changed by hand, and folders that this program did not put there',
    ...agreement,
    ...progress,
    ...json,
  },
  details: [
    'Skills come from the cache, else from their sources at the pinned version. You are asked before changes made by hand are discarded.',
    'Exits with 1 if a folder still differs from the lock.',
    'If the lock installs skills that you have not agreed to on this machine, you are asked once before anything is written.',
    'Setting CI=true does not answer this question; --yes or --frozen-trust does.',
  ],
})
