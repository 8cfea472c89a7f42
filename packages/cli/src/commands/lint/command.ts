import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  place: 7,
  args: '[PATH…]',
  text: 'Check skill files completely, and repair them',
  options: {
    '--fix': 'Write the repairs that the reader makes in memory anyway; nothing else in a file changes',
    '--standard': 'Also check the rules of the open Agent Skills standard',
    '--for <names>': 'Also say what these agents lose, cut or read differently, such as claude-code,codex',
    '--format <name>': 'Print as sarif, or github (annotations of a workflow)',
    ...json,
  },
  details: [
    'A PATH is a file, a folder (every SKILL.md below it that git does not ignore) or a glob pattern in quotes.',
    'Without a PATH it checks every skill, and whether the skills they require exist.',
    'Exits with 1 if there are errors.',
  ],
})
