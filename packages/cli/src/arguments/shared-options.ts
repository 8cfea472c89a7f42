// Options of several commands, with their help texts. A command spreads the ones it takes.

export const json = { '--json': 'Print JSON' }

/** Size of the model's context window, for commands that say what the model is told. */
export const contextWindow = {
  '--context-window <tokens>': 'Context window in tokens, of which the listing gets a part',
}

/** Scope of an installation: the user or the project. */
export const scope = { '--user': "Use your own skills (~/.agents) instead of the project's" }

export const force = { '--force': 'Replace files that are not in the lock or were changed by hand' }

export const progress = { '--quiet': 'Show no progress' }

/** Options of commands that show a plan before they install. */
export const planned = {
  ...scope,
  '--max-risk <level>':
    'Install without asking if no audit finding is above this level, otherwise refuse: info, low, medium or high',
  '--allow-large': 'Raise the limit of a skill from 512 files and 16 MiB to 20,000 files and 256 MiB',
  ...force,
  '--details': 'Show files, lines and powers of every skill, even if there are more than three',
  '--yes': 'Install without asking',
  ...progress,
}

/** Options of commands that ask before they write what a project's files request. */
export const agreement = {
  '--dry-run': 'Only show the skills that still need your consent, and their digest',
  '--yes': 'Agree to the skills that the lock installs',
  '--frozen-trust <digest>':
    'Agree to the skills with this digest, as shown by --dry-run; refuse any other, even if you agreed before',
}

/** Permission rules for this run. */
export const rules = {
  '--allow <rule>...':
    'Add this allow rule, such as Bash(git log:*), for this run; only trusted skills use it; repeatable',
  '--deny <rule>...': 'Add this deny rule, such as Skill(release:*), for this run; repeatable',
}

/** Answer to all questions of this run. */
export const answer = { '--yes': 'Answer yes to all questions of this run, except whether to trust a folder' }

export const queue = {
  '--queue <url>':
    'URL of the queue that keeps the runs, postgres:// or redis://; to hide the URL from other users, set it in SKILLS_QUEUE instead',
}

/** Folder or queue in which a command looks for runs. */
export const ofRuns = {
  '--dir <dir>': 'Folder where the host keeps its runs (default: in your state folder)',
  ...queue,
  ...json,
}

/** Agents to compare skills for, and the size of their context window. */
export const agents = {
  '--for <names>': 'Agents to compare, such as claude-code,codex (default: "agents" of the configuration, else all)',
  '--context-window <tokens>': 'Context window in tokens, of which the listing gets a part (default: 200000)',
}

/** Option of the checks that a workflow relies on. */
export const allowEmpty = { '--allow-empty': 'Exit with 0 if there is no skill to check, instead of 1' } as const
