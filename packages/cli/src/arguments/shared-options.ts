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
    'Install without asking if no audit finding is above this level, else refuse: info, low, medium or high',
  '--allow-large': 'Raise the limit of a skill from 512 files and 16 MiB to 20,000 files and 256 MiB',
  ...force,
  '--yes': 'Install without asking',
  ...progress,
}

/** Options of commands that ask before they write what a project's files request. */
export const agreement = {
  '--dry-run': 'Only show, with its digest, what would be written and still needs your consent',
  '--yes': 'Agree to what the lock would write here',
  '--frozen-trust <digest>': 'Continue only if this is the digest that --dry-run shows, even if you agreed before',
}

/** Permission rules for this run. */
export const rules = {
  '--allow <rule>...': 'Allow by this rule, such as Bash(git log:*), in this run, if the skill is trusted; repeatable',
  '--deny <rule>...': 'Deny by this rule, such as Skill(release:*), in this run; repeatable',
}

/** Answer to all questions of this run. */
export const answer = {
  '--yes': 'Answer yes to each question of this run; whether to trust a folder is not one of them',
}

export const queue = {
  '--queue <url>': 'Queue that keeps the runs, postgres:// or redis://; SKILLS_QUEUE hides it from other users',
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
