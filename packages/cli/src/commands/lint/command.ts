import { defineCommand } from '../../arguments/define-command.js'
import { allowEmpty, json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'skills',
  place: 7,
  args: '[PATH…]',
  synonyms: ['validate'],
  text: 'Check skill files completely, and repair them',
  options: {
    '--fix': 'Write the repairs that reading a skill makes in memory anyway; nothing else in a file changes',
    '--standard': 'Also check the open Agent Skills standard; a breach, such as a missing name, is an error',
    '--for <names>':
      'Also say what these agents, such as claude-code,codex, lose or read differently; a skill that one does not find is an error',
    ...allowEmpty,
    '--format <name>': 'Print as sarif, or github (annotations of a workflow)',
    ...json,
  },
  details: [
    'A PATH is a file, a folder (every SKILL.md below it that git does not ignore) or a glob pattern in quotes.',
    'Without a PATH it checks every skill, also those of the repository that you are in, and whether the skills they require exist.',
    'Exits with 1 if there are errors, or if nothing was checked.',
  ],
})
