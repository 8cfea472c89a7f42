import { distributionNames } from '@skills/distributions/distribution-named'

/** Options of every command. Commands that search for no skills reject those in `lookingFlags`. */
export const globalOptions = {
  '--distribution <name>': `Find and read skills as this distribution does: ${distributionNames.join(', ')}, or the path of a module`,
  '--cwd <dir>': 'Work in this folder; relative paths of other options still start where you are',
  '--home <dir>': 'Use this home folder; CLAUDE_CONFIG_DIR is ignored',
  '--add-dir <dir>...':
    'Also find the skills that a project in this folder would have; it needs a trust of its own; repeatable',
  '--plugin-dir <dir>...': 'Also load this plugin, marketplace or folder of skills; repeatable',
  '--marketplace <dir>...': 'Also load the plugins of this marketplace; repeatable',
  '--source-limit <seconds>': 'Give up a source after this time without progress (default: 10)',
  '--no-color': 'Use no colours, as with NO_COLOR; FORCE_COLOR turns them on everywhere',
  '--debug': 'Show the stack trace of an error',
  '-h, --help': 'Show this, or the options of a command',
  '-v, --version': 'Show the version',
}
