import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'skills',
  place: 8,
  args: '[PATH]',
  text: 'Trust a folder, so that what its skills embed may run',
  options: {
    '--dry-run': 'Show what you would agree to; trust nothing',
    '--list': 'List the trusted folders; takes no PATH',
    '--revoke': 'Stop trusting the folder and those in it; exits with 1 if it was not trusted',
    '--yes': 'Trust it without asking',
    ...json,
  },
  details: [
    'PATH is the folder (default: the project you are in).',
    'Before you decide you see everything that trust switches on.',
    'You are asked again about what changes later.',
    'Your decision is saved in your own state folder and counts for you alone.',
  ],
})
