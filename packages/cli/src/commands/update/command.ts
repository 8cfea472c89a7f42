import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { json, planned } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 3,
  args: '[NAME…]',
  refuses: lookingFlags,
  synonyms: ['upgrade'],
  text: 'Update skills from their sources, after showing the changes',
  options: { ...planned, ...json },
  details: [
    'Without a NAME, all skills are updated.',
    'You see which files change, and what each skill can do now that it could not do before.',
    'Your yes is bound to a digest of exactly these changes.',
  ],
})
