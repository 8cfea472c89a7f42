// Options that several commands have, each as it is typed with what help says of it. A command spreads those that it takes.

/** For scripts. */
export const json = { '--json': 'Print JSON' }

/** Whose skills an installation is about. */
export const scope = { '--user': "Use your own skills (~/.agents) instead of the project's" }

export const force = { '--force': 'Replace files that are not in the lock or were changed by hand' }

export const progress = { '--quiet': 'Show no progress' }

/** What is installed after a look at it. */
export const planned = {
  ...scope,
  '--max-risk <level>':
    'Install without asking if no audit finding is above this level, else refuse: info, low, medium or high',
  '--allow-large': 'Allow a skill with more than 512 files or 16 MiB',
  ...force,
  '--yes': 'Install without asking',
  ...progress,
}

/** Whether what the files of a project ask for is agreed to. */
export const agreement = {
  '--dry-run': 'Show what would be written that you have not agreed to, with its digest; change nothing',
  '--yes': 'Agree to what the lock would write here',
  '--frozen-trust <digest>': 'Agree only if the digest that --dry-run shows is this one',
}

/** Permission rules for this time. */
export const rules = {
  '--allow <rule>...': 'Allow by this rule, such as Bash(git log:*), in this run only; repeatable',
  '--deny <rule>...': 'Deny by this rule, such as Skill(release:*), in this run only; repeatable',
}

/** How questions are answered. */
export const answer = { '--yes': 'Answer yes to each question, in this run only' }

export const queue = {
  '--queue <url>': 'Queue that keeps the runs, postgres:// or redis://; SKILLS_QUEUE hides it from other users',
}

/** Which runs are meant. */
export const ofRuns = {
  '--dir <dir>': 'Folder where the host keeps its runs (default: in your state folder)',
  ...queue,
  ...json,
}

/** Agents that skills are compared for, and the window that their listings get a part of. */
export const agents = {
  '--for <names>': 'Agents to compare, such as claude-code,codex (default: "agents" of the configuration, else all)',
  '--context-window <tokens>': 'Context window in tokens, of which the listing gets a part (default: 200000)',
}
