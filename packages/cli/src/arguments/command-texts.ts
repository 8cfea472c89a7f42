import { distributionNames } from '@skills/distributions/distribution-named'
import type { CommandName, FlagOf, GlobalFlag } from './command-table.js'

/** What a person is told of a command: read when help is asked for. */
export interface CommandText<Name extends CommandName = CommandName> {
  readonly text: string
  /** Lines for its own help. */
  readonly details: readonly string[]
  readonly options: Readonly<Record<FlagOf<Name>, string>>
}

const json = 'Print JSON'
const install = {
  '--user': "Your own skills, in ~/.agents, in place of the project's",
  '--force': 'Replace what is not in the lock, or was changed by hand',
  '--max-risk': 'Answer yes where nothing of it reaches beyond this level, else no: info, low, medium or high',
  '--allow-large': 'Allow more than 512 files and 16 MiB in one skill',
  '--yes': 'Install it without a question',
  '--quiet': 'Show no progress',
}
const agreement = {
  '--dry-run': 'Show what would be written and not agreed to yet, with its digest, and change nothing',
  '--yes': 'Agree to what the lock would have written here',
  '--frozen-trust': 'Agree to it only if its digest is this one, as --dry-run shows it',
}
const rules = {
  '--allow': 'A permission rule that allows, as Bash(git log:*), for this time; may be repeated',
  '--deny': 'A permission rule that denies, as Skill(release:*), for this time; may be repeated',
}
const queue = 'URL of the queue that keeps runs: postgres:// or redis://; or SKILLS_QUEUE, which no other user sees'
const ofRuns = {
  '--dir': 'Where the host keeps its runs, if not in your state folder',
  '--queue': queue,
  '--json': json,
}
const hands = 'ARGS are joined with spaces and handed to the skill as they are.'

/** One entry for each row of the command table. */
export const commandTexts: { readonly [Name in CommandName]: CommandText<Name> } = {
  list: {
    text: 'Every skill, with where it comes from and what it is for',
    options: {
      '--all': 'Also those that are shadowed, disabled or failed to load, each with its state',
      '--source': 'Only those of one source, such as user or project',
      '--json': json,
    },
    details: [
      'On a terminal: a table whose descriptions are cut to its width. Anywhere else: one line a skill, the columns',
      'name, source, description (and state with --all) separated by tabs and never cut.',
    ],
  },
  show: {
    text: 'What a skill says: its fields, the files beside it, its body',
    options: { '--deps': 'Also the skills it requires, and what those require', '--json': json },
    details: [
      'Exits with 1 when there is no skill of the name, or when --deps finds skills that require each other. Characters',
      'of a body that a terminal would obey are shown as their numbers; --json has the body as it is.',
    ],
  },
  explain: {
    text: 'Where a skill comes from, what it shadows, or why it is not there',
    options: { '--json': json },
    details: ['Exits with 1 when nothing is known of the name.'],
  },
  search: {
    text: 'Look for skills by what they are called and what they are for',
    options: {
      '--body': 'Also in their bodies, which reads every file',
      '--limit': 'How many to show at most',
      '--json': json,
    },
    details: [
      'Everything there is: also what is shadowed or disabled, each with its state and the words that were found. A word finds',
      'what begins with it too, and what resembles it where no one has the word itself. A terminal shows the best 20 unless',
      '--limit says otherwise. Exits with 1 when nothing is found.',
    ],
  },
  listing: {
    text: 'What a model is told of the skills: the exact text, and what found no room in it',
    options: {
      '--context-window': 'Tokens of the context window that the listing gets its part of',
      '--strategy': 'How room is shared: fair, filling, proportional, cutoff, fixed, xml, grouped, or a plugin',
      '--costs': 'What each skill takes of the budget, the most first, in place of the text',
      '--json': json,
    },
    details: [
      'In a pipe the text alone, to the letter. On a terminal also how much of its budget each source takes. What is cut,',
      'left out or not told is said beside it with the reason and what to do.',
    ],
  },
  render: {
    text: 'What a model would get of a skill: the exact text, its arguments and commands in place',
    options: {
      '--no-shell': 'Run no embedded command: each stays as it is written',
      ...rules,
      '--yes': 'Answer each question with yes, this once',
      '--json': json,
    },
    details: [
      `${hands} Embedded commands need the permission that they need in a`,
      'run: where no rule decides you are asked, and without a terminal the command stays as it is written and the exit',
      'code is 1. --json says of each piece of the text where it comes from.',
    ],
  },
  run: {
    text: 'Run a skill: the messages a model would get, and what changes for it',
    options: { ...rules, '--yes': 'Answer each question with yes, this once', '--json': json },
    details: [
      `${hands} Where no rule decides you are asked. Without a`,
      'terminal and without --yes a question is a denial: nothing is printed, and the exit code is 1.',
    ],
  },
  trust: {
    text: 'Trust the folder of a project, so that what its skills embed may run',
    options: {
      '--dry-run': 'Show what would be agreed to, and trust nothing',
      '--list': 'Every folder that is trusted',
      '--revoke': 'Trust it, and what is in it, no longer',
      '--yes': 'Trust it without a question',
      '--json': json,
    },
    details: [
      'PATH is the folder; without one it is that of the project you are in. Before anything is trusted you see everything that',
      'it switches on. What changes later is asked about by itself. It is remembered for you alone, where your state is kept.',
    ],
  },
  new: {
    text: 'Write a new skill, or a plugin with one, to begin with',
    options: {
      '--description': 'What it does and when to use it',
      '--fields': 'Every further field as a comment, with its default and what to write',
      '--evals': 'A first set of cases beside it, for skills eval',
      '--user': 'For yourself, in the first of the folders where your own skills are',
      '--dir': 'In this folder, which is made if it is missing',
      '--plugin': 'A plugin: a folder with a manifest and a first skill',
      '--json': json,
    },
    details: [
      'A skill goes into .claude/skills of the working folder, a plugin into the working folder itself, unless --user or',
      '--dir says otherwise. Nothing is ever overwritten. NAME has letters in lower case, digits and single hyphens.',
    ],
  },
  add: {
    text: 'Install skills from git, npm, an archive, a site or a folder, pinned to what they are now',
    options: {
      '--skill': 'This one of the source, by its name or its path; may be repeated',
      '--all': 'Every skill of the source',
      '--agent': 'Also for this agent, as codex or claude-code, from now on; may be repeated',
      '--link': 'Link a local folder, which is then used as it is at any time',
      ...install,
      '--json': json,
    },
    details: [
      'SOURCE is owner/repo[/path][#ref], a git URL, npm:name@range, a path or URL of a .zip, .skill or .tgz, a site with an',
      'index of skills, ./folder, or plugin:NAME@MARKETPLACE. You see what the skills can do before you are asked; nothing of',
      'them runs. They go into .agents/skills, what is wanted into skills.json, what is there into skills.lock.json.',
    ],
  },
  remove: {
    text: 'Remove skills that were installed, from the disk and from both files',
    options: { '--user': install['--user'], '--force': install['--force'], '--json': json },
    details: ['What is not in the lock is never removed.'],
  },
  update: {
    text: 'Install what the sources have now, after a look at what would change',
    options: { ...install, '--json': json },
    details: [
      'Without a NAME: all of them. You see which files change and what a skill can do that it could not do before. What you',
      'agree to is the digest of all of it.',
    ],
  },
  outdated: {
    text: 'Installed skills of which the source has another version now',
    options: { '--user': install['--user'], '--quiet': install['--quiet'], '--json': json },
    details: ['Exits with 1 when there are such.'],
  },
  ci: {
    text: 'Make the folders exactly what the lock says, or say what cannot be had',
    options: {
      '--user': install['--user'],
      '--offline': 'Ask no source for what the cache lacks',
      '--force': 'Replace what stands in the place of a skill and was not put there by this program',
      ...agreement,
      '--quiet': install['--quiet'],
      '--json': json,
    },
    details: [
      'Out of the cache, and from the sources as they are pinned. Exits with 1 when something differs in the end.',
      'Asks once before it writes what a lock names that no one here agreed to. CI=true is no answer.',
    ],
  },
  verify: {
    text: 'How the disk differs from the lock, file by file; nothing is changed',
    options: { '--user': install['--user'], '--json': json },
    details: ['Exits with 1 when something differs.'],
  },
  why: {
    text: 'Where an installed skill comes from, and what it is pinned to',
    options: { '--user': install['--user'], '--json': json },
    details: ['Exits with 1 when no skill of the name is installed.'],
  },
  sync: {
    text: 'See that every agent gets every installed skill, by a link or a copy where it needs one',
    options: {
      '--agent': 'For this agent too, as codex or claude-code, from now on; may be repeated',
      '--user': install['--user'],
      '--force': install['--force'],
      ...agreement,
      '--quiet': install['--quiet'],
      '--json': json,
    },
    details: ['What an agent needs is found out by its distribution. Agents are remembered in skills.json.'],
  },
  lint: {
    text: 'Check skill files completely, and repair them',
    options: {
      '--fix': 'Write the repairs that reading makes anyway; nothing else in a file changes',
      '--standard': 'Also check the rules of the open Agent Skills standard',
      '--for': 'Also say what these agents lose, cut or read in another way, as claude-code,codex',
      '--format': 'sarif, or github (annotations of a workflow)',
      '--json': json,
    },
    details: [
      'A PATH is a file, a folder (every SKILL.md below it that git does not ignore) or a glob pattern in quotes.',
      'Without one: every skill there is, and whether the skills they require exist. Exits with 1 when there are errors.',
    ],
  },
  compat: {
    text: 'What each agent makes of your skills: found, told to its model, each field, and what would change it',
    options: {
      '--for': 'Agents, as claude-code,codex; default: those of "agents" in the configuration, else all',
      '--context-window': 'Tokens of the context window that listings get their part of; 200000 unless given',
      '--format': 'sarif, github (annotations of a workflow) or markdown (a table for a pull request)',
      '--json': json,
    },
    details: [
      'Without a NAME a table of all skills; with one, everything that is known of it. Nothing of a skill runs: the rules of',
      'each agent are applied to its file where it lies, and to the same file in a folder that the agent reads. Exits with 1',
      'when an agent that --for or the configuration names loses a skill.',
    ],
  },
  eval: {
    text: 'Whether models are told of your skills, and pick the right one',
    options: {
      '--overlap': 'Only which skills are described in nearly the same words',
      '--for': 'Agents, as claude-code,codex; default: those of "agents" in the configuration, else all',
      '--context-window': 'Tokens of the context window that listings get their part of; 200000 unless given',
      '--model': 'Ask this model: anthropic/NAME or openai/NAME, with the key in ANTHROPIC_API_KEY or OPENAI_API_KEY',
      '--base-url': 'Ask it at this address, as OpenAI has it; the key, if it needs one, is in SKILLS_MODEL_KEY',
      '--level': 'Only trigger (is it picked?) or outcome (does it help?); with a model both, where there are cases',
      '--trials': 'How often each query is asked, and each task done with and without the skill; 3 unless given',
      '--concurrency': 'How many trials are made at one time; 4 unless given',
      '--against': 'Compare with the description in another SKILL.md, until they can be told apart',
      '--record': 'Ask for what is not recorded, and record it: so without CI, unless --replay is given',
      '--replay': 'Ask no model, only the recordings: so with CI, unless --record is given',
      '--recordings': 'Where they are; evals/recordings unless given',
      '--allow': 'What tasks may run in their temporary folders, as they name it; may be repeated',
      '--price': 'Dollars for a million tokens, in and out: 3,15',
      '--max-cost': 'Begin no further trial once this many dollars are spent; needs --price',
      '--baseline': 'Exit with 1 when a skill is worse than in this file, beyond the interval',
      '--save-baseline': 'Write the shares into this file, for a later --baseline',
      '--threshold': 'Exit with 1 when a skill does right in a smaller share than this, such as 0.8',
      '--junit': 'Write a report for test runners into this file',
      '--markdown': 'Write a report for a pull request into this file',
      '--quiet': 'Show no progress',
      '--json': json,
    },
    details: [
      'Without --model no model is asked: which agents tell their models of a skill, what is near it in words, and at which',
      'rank SkillSearch finds it for the queries in its evals/evals.json. Exits with 1 when a NAME is never told of, or',
      'loses a query. With --model it is asked in trials of their own; the same command goes on where one was interrupted.',
    ],
  },
  audit: {
    text: 'What skills can do: commands, hooks, tools, links, hidden characters, size',
    options: {
      '--level': 'Exit with 1 when a finding reaches it: info, low, medium or high (default)',
      '--json': json,
    },
    details: [
      'Without a NAME: every skill with its highest level, the highest first. With one: each finding, its place and what was',
      'found there. Nothing is run and no link is followed.',
    ],
  },
  mcp: {
    text: 'Serve these skills to MCP clients: over standard streams, or over HTTP',
    options: {
      '--http': 'Over streamable HTTP at the loopback, for any number of clients that have the token',
      '--port': 'The port to listen at; a free one unless given',
      '--host': 'The address to listen at, and the name that clients may call it by, in place of the loopback',
      '--origin': 'The host name of pages that may call it, besides those of this machine; may be repeated',
      '--no-token': 'Ask clients for no token: every program of this machine can then call it',
      '--read-only': 'Run nothing: no embedded command, no hook, no fork; and remember nothing',
      ...rules,
    },
    details: [
      'A client starts it by itself: command "skills", arguments ["mcp", "--cwd", "/path/to/project"]. What no rule decides',
      'is asked of the person there; a client that cannot ask gets the answer no, with the --allow that would change it.',
      'With --http the token is that of SKILLS_MCP_TOKEN, else a new one that is printed to standard error.',
    ],
  },
  ui: {
    text: 'A page of these skills in your browser: layers, budget, agents, audit, runs, and an editor',
    options: {
      '--port': 'The port to listen at; a free one unless given',
      '--export': 'Write the page as one file that works from disk, and serve nothing',
      '--dir': ofRuns['--dir'],
      '--report': 'The evaluation that is shown; evals/recordings/last-report.json unless given',
    },
    details: [
      'It prints an address of this machine that lets in one browser, once, and serves until Ctrl-C. Nothing of a skill runs,',
      'and the page asks nothing of any other machine. What changes on disk appears by itself.',
    ],
  },
  worker: {
    text: 'Work on the runs of a queue with these skills, until told to end',
    options: {
      '--queue': queue,
      '--concurrency': 'Runs at one time; 4 unless given',
      '--model-limit': 'Runs at one time of a model, over all workers: NAME=8; may be repeated',
      '--tenant-limit': 'Runs at one time of a tenant, over all workers: NAME=2, or *=2 for each other one',
      '--lock': 'Seconds after which a run of a worker that is not heard of goes to another; 30 unless given',
      '--drain': 'Seconds that runs have to end in once it is told to end; 20 unless given',
      '--run-texts': 'Works also on skills that are not here, with the text that their runs bring',
      ...rules,
    },
    details: [
      'It needs a distribution with a runner, as --distribution ./agent.mjs, and the packages bullmq and pg or ioredis. What',
      'no rule decides parks a run until it is answered: skills runs answer ID allow --queue URL.',
    ],
  },
  watch: {
    text: 'What is added, changed and removed, as it happens',
    options: { '--json': 'Print JSON, one object a line' },
    details: [
      'First the number of skills; then a line for each skill that is added (+), removed (−) or changed (~), and for each',
      'problem that appears (!) or is solved (✓). Ends with Ctrl-C, and then exits with 130.',
    ],
  },
  runs: {
    text: 'Runs of forked skills: what waits for a person first, then the latest',
    options: {
      '--state': 'Only those in this state, such as waiting or failed; may be repeated',
      '--limit': 'How many to show at most',
      ...ofRuns,
    },
    details: [
      'A terminal shows 20 unless --limit says otherwise. An ID may be shortened to a beginning that one run has. The other',
      'commands: skills runs show, follow, answer, cancel, retry and prune.',
    ],
  },
  'runs show': {
    text: 'One run: what it is, what it did when and for how long, what it asks, its result',
    options: ofRuns,
    details: ['--json has its whole journal, with what each call gave.'],
  },
  'runs follow': {
    text: 'What a run does, as it happens, until it ends or asks something',
    options: { ...ofRuns, '--json': 'Print JSON, one entry of its journal a line' },
    details: ['Exits with 0 when it is done, with 1 when it failed, was cancelled or waits for an answer.'],
  },
  'runs answer': {
    text: 'Answer what a run asks: allow or deny',
    options: ofRuns,
    details: ['With QUESTION, the id of a question, only if that is still what it asks.'],
  },
  'runs cancel': { text: 'End a run, or have the process that works on it end it', options: ofRuns, details: [] },
  'runs retry': {
    text: 'Queue a run again that failed, was cancelled or is indeterminate',
    options: { '--fresh': 'From its beginning: nothing that it did counts', ...ofRuns },
    details: ['Without --fresh no finished call is made again.'],
  },
  'runs prune': {
    text: 'Remove runs that have ended',
    options: {
      '--older-than': 'Only those that ended this long ago, as 12h or 30d; 7d unless given',
      '--state': 'Only those in this state: done, failed or cancelled; may be repeated',
      '--dry-run': 'Remove nothing, and say how many it would be',
      ...ofRuns,
    },
    details: ['What has not ended, and what cannot be read, stays.'],
  },
  'plugin init': {
    text: 'Begin a plugin that npm can publish, in a new folder or in the present one',
    options: { '--description': 'What it is for', '--json': json },
    details: [
      'NAME is that of the npm package, such as acme-tools or @acme/tools; its last part names the folder. Without one: the',
      'present folder. No file is overwritten; of a package.json that is there everything stays, and what is missing is added.',
    ],
  },
  'plugin check': {
    text: 'What a host would load of a plugin or a marketplace, and what is wrong with it',
    options: { '--npm': 'Check its package.json too, and what npm would leave out', '--json': json },
    details: ['DIR is the folder of the plugin; without one the present folder. Exits with 1 when there are errors.'],
  },
  'plugin pack': {
    text: 'Check a plugin, make the tarball that npm publishes, and load every skill from it',
    options: {
      '--out': 'Put the tarball there; the folder is made if it is missing',
      '--scripts': 'Run what the package has for packing: its prepack, prepare and postpack',
      '--json': json,
    },
    details: [
      'DIR is the folder of the plugin; without one the present folder. The tarball is put into the present folder.',
    ],
  },
  help: { text: 'Show this, or the options of one command', options: {}, details: [] },
}

export const globalTexts: Readonly<Record<GlobalFlag, string>> = {
  '--distribution': [...distributionNames, 'path'].join(', '),
  '--cwd': 'Work as if started in this folder',
  '--home': 'Take this for the home folder, and ignore CLAUDE_CONFIG_DIR',
  '--add-dir': 'A further folder whose skills count as those of the project; may be repeated',
  '--plugin-dir': 'A plugin, a marketplace or a folder of skills that is wanted too; may be repeated',
  '--marketplace': 'A marketplace whose plugins are wanted too; may be repeated',
  '--source-limit': 'How long a source of skills may go without getting on; 10 unless given',
  '--no-color': 'No colours, as with NO_COLOR set; FORCE_COLOR asks for them anywhere',
  '--debug': 'Show the stack of an error',
  '--help': 'Show this, or the options of a command',
  '--version': 'Show the version',
}
