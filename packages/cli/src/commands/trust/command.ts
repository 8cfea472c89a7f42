import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  place: 8,
  args: '[PATH]',
  text: 'Trust a folder, so that what its skills embed may run',
  options: {
    '--dry-run': 'Show what would be agreed to, and trust nothing',
    '--list': 'Every folder that is trusted',
    '--revoke': 'Trust it, and what is in it, no longer',
    '--yes': 'Trust it without a question',
    ...json,
  },
  details: [
    'PATH is the folder; without one it is that of the project you are in.',
    'Before anything is trusted you see everything that it switches on.',
    'What changes later is asked about by itself.',
    'It is remembered for you alone, where your state is kept.',
  ],
})
