// Options that several commands have, each as it is typed with what help says of it. A command spreads those that it takes.

/** For scripts. */
export const json = { '--json': 'Print JSON' }

/** Whose skills an installation is about. */
export const scope = { '--user': "Your own skills, in ~/.agents, in place of the project's" }

export const force = { '--force': 'Replace what is not in the lock, or was changed by hand' }

export const progress = { '--quiet': 'Show no progress' }

/** What is installed after a look at it. */
export const planned = {
  ...scope,
  '--max-risk <level>': 'Answer yes where nothing of it reaches beyond this level, else no: info, low, medium or high',
  '--allow-large': 'Allow more than 512 files and 16 MiB in one skill',
  ...force,
  '--yes': 'Install it without a question',
  ...progress,
}

/** Whether what the files of a project ask for is agreed to. */
export const agreement = {
  '--dry-run': 'Show what would be written and not agreed to yet, with its digest, and change nothing',
  '--yes': 'Agree to what the lock would have written here',
  '--frozen-trust <digest>': 'Agree to it only if its digest is this one, as --dry-run shows it',
}

/** Permission rules for this time. */
export const rules = {
  '--allow <rule>...': 'A permission rule that allows, as Bash(git log:*), for this time; may be repeated',
  '--deny <rule>...': 'A permission rule that denies, as Skill(release:*), for this time; may be repeated',
}

/** How questions are answered. */
export const answer = { '--yes': 'Answer each question with yes, this once' }

export const queue = {
  '--queue <url>':
    'URL of the queue that keeps runs: postgres:// or redis://; or SKILLS_QUEUE, which no other user sees',
}

/** Which runs are meant. */
export const ofRuns = { '--dir <dir>': 'Where the host keeps its runs, if not in your state folder', ...queue, ...json }

/** Agents that skills are compared for, and the window that their listings get a part of. */
export const agents = {
  '--for <names>': 'Agents, as claude-code,codex; default: those of "agents" in the configuration, else all',
  '--context-window <tokens>': 'Tokens of the context window that listings get their part of; 200000 unless given',
}
