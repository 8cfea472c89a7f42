import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { force, json, scope } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 2,
  args: 'NAME…',
  refuses: lookingFlags,
  synonyms: ['rm', 'uninstall'],
  text: 'Remove installed skills',
  options: { ...scope, ...force, '--yes': 'Ask nothing; this command never asks', ...json },
  details: [
    'The skills are removed from the disk, from skills.json and from the lock.',
    'A skill that is not in the lock is never removed.',
  ],
})
