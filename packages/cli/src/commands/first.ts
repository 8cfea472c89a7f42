// Made by `node scripts/commands.mjs --write` of the folders beside it.
import type { CommandRow } from '../arguments/command-row.js'

// A list reads this before it runs, so it has options without their help.
export const globalOptions = [
  '--distribution <name>',
  '--cwd <dir>',
  '--home <dir>',
  '--add-dir <dir>...',
  '--plugin-dir <dir>...',
  '--marketplace <dir>...',
  '--source-limit <seconds>',
  '--no-color',
  '--debug',
  '-h, --help',
  '-v, --version',
]

export const listRow: CommandRow = {
  name: 'list',
  args: '',
  least: 0,
  most: 0,
  options: ['--all', '--source <name>', '--json'],
  synonyms: ['ls'],
}
