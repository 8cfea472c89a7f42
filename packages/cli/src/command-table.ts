/** One option as it is documented and parsed. */
export interface OptionRow {
  /** As cac reads it: `--cwd <dir>`. */
  readonly flags: string
  readonly text: string
  /** Whether it may be given several times. */
  readonly isRepeatable?: boolean
}

export interface CommandRow {
  readonly name: 'list' | 'show' | 'explain' | 'new' | 'lint' | 'help'
  /** Its arguments as they are documented. */
  readonly args: string
  /** How many arguments it takes. */
  readonly least: number
  readonly most: number
  readonly text: string
  readonly options: readonly OptionRow[]
  /** Lines for its own help. */
  readonly details: readonly string[]
}

const json: OptionRow = { flags: '--json', text: 'Print JSON' }

export const commandTable: readonly CommandRow[] = [
  {
    name: 'list', args: '', least: 0, most: 0, text: 'Every skill, with where it comes from and what it is for',
    options: [
      { flags: '--all', text: 'Also those that are shadowed, disabled or failed to load, each with its state' },
      { flags: '--source <name>', text: 'Only those of one source, such as user or project' },
      json,
    ],
    details: [
      'On a terminal: a table whose descriptions are cut to its width. Anywhere else: one line a skill, the columns',
      'name, source, description (and state with --all) separated by tabs and never cut.',
    ],
  },
  {
    name: 'show', args: 'NAME', least: 1, most: 1, text: 'What a skill says: its fields, the files beside it, its body',
    options: [{ flags: '--deps', text: 'Also the skills it requires, and what those require' }, json],
    details: [
      'Exits with 1 when there is no skill of the name, or when --deps finds skills that require each other. Characters',
      'of a body that a terminal would obey are shown as their numbers; --json has the body as it is.',
    ],
  },
  {
    name: 'explain', args: 'NAME', least: 1, most: 1, text: 'Where a skill comes from, what it shadows, or why it is not there',
    options: [json],
    details: ['Exits with 1 when nothing is known of the name.'],
  },
  {
    name: 'new', args: 'NAME', least: 1, most: 1, text: 'Write a new skill, or a plugin with one, to begin with',
    options: [
      { flags: '--description <text>', text: 'What it does and when to use it' },
      { flags: '--user', text: 'For yourself, in the first of the folders where your own skills are' },
      { flags: '--dir <dir>', text: 'In this folder, which is made if it is missing' },
      { flags: '--plugin', text: 'A plugin: a folder with a manifest and a first skill' },
      json,
    ],
    details: [
      'A skill goes into .claude/skills of the working folder, a plugin into the working folder itself, unless --user or',
      '--dir says otherwise. Nothing is ever overwritten. NAME has letters in lower case, digits and single hyphens.',
    ],
  },
  {
    name: 'lint', args: '[PATH…]', least: 0, most: Number.POSITIVE_INFINITY, text: 'Check skill files completely, and repair them',
    options: [
      { flags: '--fix', text: 'Write the repairs that reading makes anyway; nothing else in a file changes' },
      { flags: '--standard', text: 'Also check the rules of the open Agent Skills standard' },
      json,
    ],
    details: [
      'A PATH is a file, a folder (every SKILL.md below it that git does not ignore) or a glob pattern in quotes.',
      'Without one: every skill there is, and whether the skills they require exist. Exits with 1 when there are errors.',
    ],
  },
  { name: 'help', args: '[COMMAND]', least: 0, most: 1, text: 'Show this, or the options of one command', options: [], details: [] },
]

export const globalOptions: readonly OptionRow[] = [
  { flags: '--cwd <dir>', text: 'Work as if started in this folder' },
  { flags: '--home <dir>', text: 'Take this for the home folder, whatever CLAUDE_CONFIG_DIR says' },
  { flags: '--add-dir <dir>', text: 'A further folder whose skills count as those of the project; may be repeated', isRepeatable: true },
  { flags: '--plugin-dir <dir>', text: 'A plugin whose skills are wanted too; may be repeated', isRepeatable: true },
  { flags: '--no-color', text: 'No colours, as with NO_COLOR set; FORCE_COLOR asks for them anywhere' },
  { flags: '--debug', text: 'Show the stack of an error' },
  { flags: '-h, --help', text: 'Show this, or the options of a command' },
  { flags: '-v, --version', text: 'Show the version' },
]
