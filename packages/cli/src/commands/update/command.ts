import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { json, planned } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 3,
  args: '[NAME…]',
  refuses: lookingFlags,
  text: 'Install what the sources have now, after showing the changes',
  options: { ...planned, ...json },
  details: [
    'Without a NAME: all of them.',
    'You see which files change and what a skill can do that it could not do before.',
    'What you agree to is the digest of all of it.',
  ],
})
