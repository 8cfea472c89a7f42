import { distributionNames } from '@skills/distributions/distribution-named'

/** Options of every command but those that look for no skill, which refuse `lookingFlags`. */
export const globalOptions = {
  '--distribution <name>': [...distributionNames, 'path'].join(', '),
  '--cwd <dir>': 'Work as if started in this folder',
  '--home <dir>': 'Take this for the home folder, and ignore CLAUDE_CONFIG_DIR',
  '--add-dir <dir>...': 'A further folder whose skills count as those of the project; may be repeated',
  '--plugin-dir <dir>...': 'A plugin, a marketplace or a folder of skills that is wanted too; may be repeated',
  '--marketplace <dir>...': 'A marketplace whose plugins are wanted too; may be repeated',
  '--source-limit <seconds>': 'How long a source of skills may go without getting on; 10 unless given',
  '--no-color': 'No colours, as with NO_COLOR set; FORCE_COLOR asks for them anywhere',
  '--debug': 'Show the stack of an error',
  '-h, --help': 'Show this, or the options of a command',
  '-v, --version': 'Show the version',
}
