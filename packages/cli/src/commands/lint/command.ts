import { defineCommand } from '../../arguments/define-command.js'
import { allowEmpty, json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'skills',
  place: 7,
  args: '[PATH…]',
  synonyms: ['validate'],
  text: 'Check skill files completely, and repair them',
  options: {
    '--fix': 'Repair frontmatter, misspelt fields, UTF-16 and the name skill.md; nothing else in a file changes',
    '--standard': 'Also check the open Agent Skills standard; a violation, such as a missing name, is an error',
    '--for <names>':
      'Also say what these agents, such as claude-code,codex, ignore or read differently; a skill that an agent does not find is an error',
    ...allowEmpty,
    '--format <name>': 'Print as sarif, or github (annotations of a workflow)',
    ...json,
  },
  details: [
    'A PATH is a file, a folder (every SKILL.md below it that git does not ignore) or a glob pattern in quotes.',
    'Without a PATH, every skill is checked, also those of the repository that you are in, and whether the skills that they require exist.',
    'Exits with 1 if there are errors, or if nothing was checked.',
  ],
})
