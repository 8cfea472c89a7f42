import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { processHost } from '@skills/core'
import { openRuns, type RunSpec } from '@skills/runs'
import type { HeldRun } from '@skills/runs/internal'
import type { TreeEntries } from '@skills/testing'

/** Situation in which the program proposes a command line. */
export interface Situation {
  /** Files that propose it, as `FILE: COMMAND`. */
  readonly places: readonly string[]
  readonly files: TreeEntries
  /** Command lines before, which all end with 0. They run in `work`, like all others. */
  readonly before?: readonly string[]
  /** Files that are written after `before`. */
  readonly later?: TreeEntries
  /** Text of a file that is replaced after `before`. */
  readonly rewritten?: { readonly file: string; readonly from: string; readonly to: string }
  /** Paths that are removed after `before`. */
  readonly removed?: readonly string[]
  /** Makes what no command line makes, in the folder that has `work` and `home`. */
  readonly prepare?: (path: string) => Promise<void> | void
  readonly argv: string
  /** Beginning of the proposed command line, without `skills `. */
  readonly proposes: string
  /** Words that a person fills in for a word in capitals of the proposal, or adds to it. */
  readonly adds?: string
  /** Things that the person does beside typing the command, because the proposal says so. */
  readonly byHand?: TreeEntries | ((path: string) => void)
  /**
   * `changes`: after the proposed command, the first command answers something else, and no longer proposes it. `shows`:
   * the proposed command only shows something, and ends with 0 or 1.
   */
  readonly effect: 'changes' | 'shows'
}

const skill = (frontmatter: string, body = 'Do it.'): string => `---\n${frontmatter}\n---\n${body}\n`
const own = skill('name: deploy\ndescription: Ships it.')
const runs = skill('name: deploy\ndescription: Ships it.', 'Now: !`git status`')
const project = { 'work/.git/HEAD': 'ref: refs/heads/main\n', 'home/.keep': '' }
const withSkill = { ...project, 'work/.claude/skills/deploy/SKILL.md': own }
const withRunning = { ...project, 'work/.claude/skills/deploy/SKILL.md': runs }
const shared = {
  ...project,
  'work/shared/deploy/SKILL.md': own,
  'work/shared/review/SKILL.md': own.replace('deploy', 'review'),
}
const plugin = {
  ...project,
  'work/.claude-plugin/plugin.json': '{"name":"acme","version":"1.0.0"}',
  'work/skills/deploy/SKILL.md': own,
}

const many = (count: number): TreeEntries => ({
  ...project,
  ...Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `work/.claude/skills/s${at}/SKILL.md`,
      skill(`name: s${at}\ndescription: ${'word '.repeat(100)}`),
    ]),
  ),
})
const near = 'Writes release notes from the commits since the last tag, for users who read them'

/** Makes a run of the skill `deploy` among those of the home folder. */
async function madeRun(path: string, act: (run: HeldRun) => Promise<unknown>): Promise<void> {
  const home = `${path}/home`
  const opened = openRuns(processHost({ home, env: {} }), { dir: `${home}/.local/state/skills/runs` })
  const spec: RunSpec = {
    id: 'one',
    skill: { name: 'deploy', source: 'project', digest: 'a1' },
    args: '',
    caller: 'user',
    agent: 'general-purpose',
    tools: { without: [] },
    limits: { maxSteps: 5, ms: 1000 },
    session: 's',
    depth: 0,
    isBackground: true,
  }
  const run = await opened.begin(spec)
  if (run === undefined) throw new Error('The run was there before.')
  await act(run)
}

const doneRun = (path: string): Promise<void> =>
  madeRun(path, async run => run.end({ state: 'done', result: 'Shipped.' }))

async function waitingRun(path: string): Promise<void> {
  const question = { id: 'q', kind: 'permission', tool: 'Bash', content: 'git push', message: 'Push it?' } as const
  // A run that waits is left with the reason of its signal.
  await madeRun(path, async run => run.ask(question).catch(() => undefined))
}

/** Returns the file of the journal of the project's installations. */
const journalIn = (path: string): string =>
  `${path}/home/.local/state/skills/install/${createHash('sha256')
    .update(realpathSync(`${path}/work`))
    .digest('hex')
    .slice(0, 32)}.journal`

const cli = 'packages/cli/src'

export const situations: Readonly<Record<string, Situation>> = {
  'a configuration that nobody agreed to': {
    places: [`${cli}/engine/configured.ts: trust`],
    files: { ...withSkill, 'work/skills.config.json': '{"additional":["more"]}' },
    argv: 'lint',
    proposes: 'trust',
    adds: '--yes',
    effect: 'changes',
  },
  'a distribution of the project that nobody agreed to': {
    places: [`${cli}/engine/own-distribution.ts: words`],
    files: { ...withSkill, 'work/acme.mjs': 'export default (options, base) => base(options)\n' },
    argv: 'list --distribution ./acme.mjs',
    proposes: 'trust',
    adds: '--yes',
    effect: 'changes',
  },
  'why of a skill that skills add did not install': {
    places: [`${cli}/installing/found-instead.ts: explain`, `${cli}/installing/found-instead.ts: add`],
    files: withSkill,
    argv: 'why deploy',
    proposes: 'explain deploy',
    effect: 'shows',
  },
  'a new plugin': {
    places: [`${cli}/output/plugin-text.ts: plugin check`],
    files: project,
    argv: 'plugin init acme',
    proposes: 'plugin check',
    effect: 'shows',
  },
  'a new plugin, to be packed': {
    places: [`${cli}/output/plugin-text.ts: plugin pack`],
    files: project,
    argv: 'plugin init acme',
    proposes: 'plugin pack',
    effect: 'shows',
  },
  'a skill that changed since its folder was trusted': {
    places: [`${cli}/output/changed-skills.ts: trust`],
    files: withRunning,
    before: ['trust --yes'],
    later: { 'work/.claude/skills/deploy/SKILL.md': runs.replace('status', 'log') },
    argv: 'list',
    proposes: 'trust',
    adds: '--yes',
    effect: 'changes',
  },
  'an item that changed since its folder was trusted': {
    places: [`${cli}/output/unagreed-line.ts: trust`],
    files: { ...withSkill, 'work/skills.config.json': '{"additional":["more"]}' },
    before: ['trust --yes'],
    later: { 'work/skills.config.json': '{"additional":["other"]}' },
    argv: 'list',
    proposes: 'trust',
    adds: '--yes',
    effect: 'changes',
  },
  'a run of a skill that is not trusted': {
    places: [`${cli}/questions/asking.ts: trust`],
    files: withRunning,
    argv: 'run deploy',
    proposes: 'trust',
    adds: '--yes',
    effect: 'changes',
  },
  'a run of a skill in a folder of --add-dir': {
    places: [`${cli}/questions/asking.ts: trust`],
    files: { ...project, 'other/.git/HEAD': '', 'other/.claude/skills/deploy/SKILL.md': runs },
    argv: 'run deploy --add-dir ../other',
    proposes: 'trust',
    adds: '--yes',
    effect: 'changes',
  },
  'an overview with a problem': {
    places: [`${cli}/commands/overview/text.ts: lint`],
    files: { ...withSkill, 'work/.claude/skills/bad/SKILL.md': skill('user-invocable: maybe') },
    argv: '',
    proposes: 'lint',
    effect: 'shows',
  },
  'an overview of nothing': {
    places: [`${cli}/commands/overview/text.ts: words`],
    files: project,
    argv: '',
    proposes: 'new hello',
    effect: 'changes',
  },
  'a listing that cuts': {
    places: [`${cli}/commands/listing/text.ts: listing`],
    files: many(30),
    argv: 'listing --context-window 100000',
    proposes: 'listing --context-window 1000000',
    effect: 'shows',
  },
  'a skill that the settings of one agent switch off': {
    places: [`${cli}/commands/explain/text.ts: explain`],
    files: {
      ...withSkill,
      'home/.claude/.keep': '',
      'work/.claude/settings.json': JSON.stringify({ skillOverrides: { deploy: 'off' } }),
    },
    argv: 'explain deploy',
    proposes: 'explain deploy --distribution claude-code',
    effect: 'shows',
  },
  'a new skill for agents that do not read its folder': {
    places: [],
    files: { ...project, 'home/.codex/.keep': '' },
    argv: 'new deploy --description Ships.',
    proposes: 'add ./.claude/skills --skill deploy --agent codex',
    adds: '--yes',
    effect: 'shows',
  },
  'a new skill': {
    places: [`${cli}/commands/new/text.ts: lint`],
    files: project,
    argv: 'new notes',
    proposes: 'lint --standard',
    effect: 'shows',
  },
  'a new skill, to be seen': {
    places: [`${cli}/commands/new/text.ts: show`],
    files: project,
    argv: 'new notes',
    proposes: 'show notes',
    effect: 'shows',
  },
  'a new plugin of one skill': {
    places: [`${cli}/commands/new/text.ts: list`],
    files: project,
    argv: 'new acme --plugin',
    proposes: 'list --plugin-dir',
    effect: 'shows',
  },
  'a new plugin, for another skill': {
    places: [`${cli}/commands/new/text.ts: new`],
    files: project,
    argv: 'new acme --plugin',
    proposes: 'new NAME',
    adds: 'second',
    effect: 'shows',
  },
  'a search without a result': {
    places: [`${cli}/commands/search/run.ts: search`],
    files: withSkill,
    argv: 'search qqqq',
    proposes: 'search qqqq --body',
    effect: 'shows',
  },
  'a file that no source reads': {
    places: [`${cli}/commands/explain/file-to-explain.ts: list`],
    files: { ...withSkill, 'work/elsewhere/other/SKILL.md': own.replace('deploy', 'other') },
    argv: 'explain elsewhere/other/SKILL.md',
    proposes: 'list --plugin-dir elsewhere/other',
    effect: 'shows',
  },
  'a list with skills that it leaves out': {
    places: [`${cli}/commands/list/summary.ts: list`],
    files: { ...withSkill, 'home/.claude/skills/deploy/SKILL.md': own },
    argv: 'list',
    proposes: 'list --all',
    effect: 'shows',
  },
  'a list with problems': {
    places: [`${cli}/commands/list/summary.ts: lint`],
    files: { ...withSkill, 'work/.claude/skills/bad/SKILL.md': skill('user-invocable: maybe') },
    argv: 'list',
    proposes: 'lint',
    effect: 'shows',
  },
  'a comparison without skills': {
    places: [`${cli}/commands/compat/text.ts: new`],
    files: project,
    argv: 'compat',
    proposes: 'new NAME',
    adds: 'hello',
    effect: 'changes',
  },
  'a comparison with lost skills': {
    places: [`${cli}/commands/compat/text.ts: compat`],
    files: withSkill,
    argv: 'compat',
    proposes: 'compat deploy',
    effect: 'shows',
  },
  'a skill that cannot be shown': {
    places: [`${cli}/commands/show/run.ts: explain`],
    files: { ...withSkill, 'work/.claude/skills/bad/SKILL.md': skill('name: bad\nuser-invocable: maybe') },
    argv: 'show bad',
    proposes: 'explain bad',
    effect: 'shows',
  },
  'trust for one distribution': {
    places: [`${cli}/commands/trust/text.ts: trust`],
    files: withRunning,
    argv: 'trust --dry-run --distribution mini',
    proposes: 'trust --distribution standard',
    adds: '--dry-run',
    effect: 'shows',
  },
  'a skill in skills.json that is not installed': {
    places: [`${cli}/commands/why/run.ts: update`],
    files: { ...shared, 'work/skills.json': '{"skills":{"deploy":{"source":"./shared"}}}' },
    argv: 'why deploy',
    proposes: 'update',
    adds: '--yes',
    effect: 'changes',
  },
  'an unknown name': {
    places: [`${cli}/output/unknown-name.ts: list`],
    files: withSkill,
    argv: 'show nothing-like-it',
    proposes: 'list',
    effect: 'shows',
  },
  'a plugin without a package': {
    places: ['packages/authoring/src/check-package.ts: plugin init'],
    files: plugin,
    argv: 'plugin check --npm',
    proposes: 'plugin init',
    effect: 'changes',
  },
  'a value that needs quotes': {
    places: ['packages/distributions/src/frontmatter-fields.ts: lint'],
    files: { ...project, 'work/.agents/skills/deploy/SKILL.md': skill('name: deploy\ndescription: Ships: it') },
    argv: 'explain deploy --distribution pi',
    proposes: 'lint --fix',
    effect: 'changes',
  },
  'loose frontmatter under a strict agent': {
    places: ['packages/inspect/src/compat/changes.ts: lint'],
    files: { ...project, 'work/.agents/skills/deploy/SKILL.md': skill('name: deploy\ndescription: Ships: it') },
    argv: 'compat deploy --for pi',
    proposes: 'lint --fix',
    effect: 'changes',
  },
  'a comparison of an unknown name': {
    places: ['packages/inspect/src/compat/rows.ts: list'],
    files: withSkill,
    argv: 'compat nothing-like-it',
    proposes: 'list',
    effect: 'shows',
  },
  'a lock that nobody agreed to': {
    places: ['packages/install/src/agreement.ts: ci'],
    files: shared,
    before: ['add ./shared --all --yes'],
    argv: 'ci --frozen-trust sha256:0',
    proposes: 'ci --dry-run',
    effect: 'shows',
  },
  'a lock with a folder that its agent does not read': {
    places: ['packages/install/src/agreement.ts: sync'],
    files: shared,
    before: ['add ./shared --all --yes --agent claude-code'],
    rewritten: { file: 'work/skills.lock.json', from: '.claude/skills', to: '.cursor/skills' },
    argv: 'ci --yes',
    proposes: 'sync',
    adds: '--yes',
    effect: 'changes',
  },
  'a lock with an entry that no one can read': {
    places: ['packages/install/src/lock.ts: update'],
    files: shared,
    before: ['add ./shared --all --yes'],
    rewritten: { file: 'work/skills.lock.json', from: '"source": "./shared"', to: '"source": "npm:"' },
    argv: 'ci --yes',
    proposes: 'update',
    adds: '--yes',
    byHand: { 'work/skills.lock.json': '{"skills":{},"version":1}' },
    effect: 'changes',
  },
  'a lock of another program in a version that is not supported': {
    places: ['packages/install/src/common-lock.ts: add'],
    files: { ...shared, 'work/skills-lock.json': '{"version":9,"skills":{}}' },
    argv: 'ci --yes',
    proposes: 'add',
    adds: './shared --all --yes',
    byHand: { 'work/skills.json': '{"skills":{}}' },
    effect: 'changes',
  },
  'a file that is nearly a skill': {
    places: [`${cli}/commands/doctor/text.ts: doctor`],
    files: { ...withSkill, 'work/.claude/skills/nearly/skill.md': own.replace('deploy', 'nearly') },
    argv: 'doctor',
    proposes: 'doctor --fix',
    effect: 'changes',
  },
  'an installed skill that is gone': {
    places: ['packages/install/src/install-problems.ts: sync'],
    files: shared,
    before: ['add ./shared --all --yes --agent claude-code'],
    removed: ['work/.claude'],
    argv: 'doctor',
    proposes: 'sync',
    adds: '--yes',
    effect: 'changes',
  },
  ...Object.fromEntries(
    (
      [
        ['doctor', `${cli}/commands/doctor/diagnosis.ts: listing`],
        ['', `${cli}/commands/overview/untold-text.ts: words`],
      ] as const
    ).map(([argv, place]) => [
      `more descriptions than the listing has room for, as "skills ${argv}" sees them`,
      { places: [place], files: many(120), argv, proposes: 'listing --costs', effect: 'shows' },
    ]),
  ),
  'skills of another agent': {
    places: ['packages/inspect/src/skills-elsewhere.ts: add', `${cli}/engine/elsewhere.ts: words`],
    files: { ...withSkill, 'work/.github/skills/other/SKILL.md': own.replace('deploy', 'other') },
    argv: '',
    proposes: 'add ./.github/skills',
    adds: '--yes',
    effect: 'changes',
  },
  'a skill that only the main checkout has': {
    places: ['packages/inspect/src/skills-elsewhere.ts: doctor'],
    files: {
      'home/.keep': '',
      'main/.git/HEAD': 'ref: refs/heads/main\n',
      'main/.git/worktrees/work/commondir': '../..\n',
      'main/.git/worktrees/work/gitdir': '../../../../work/.git\n',
      'main/.gitignore': '.claude/\n',
      'main/.claude/skills/deploy/SKILL.md': own,
      'work/.git': 'gitdir: ../main/.git/worktrees/work\n',
    },
    argv: 'explain deploy',
    proposes: 'doctor --fix',
    effect: 'changes',
  },
  'a source that is tried': {
    places: [`${cli}/commands/try/run.ts: add`],
    files: shared,
    argv: 'try ./shared --skill deploy',
    proposes: 'add ./shared --skill deploy',
    adds: '--yes',
    effect: 'shows',
  },
  'a source that is listed, to be tried': {
    places: [`${cli}/installing/offer-text.ts: try`],
    files: shared,
    argv: 'add --list ./shared',
    proposes: 'try ./shared --skill deploy',
    effect: 'shows',
  },
  'a source that is listed, to be installed': {
    places: [`${cli}/installing/offer-text.ts: add`],
    files: shared,
    argv: 'add --list ./shared',
    proposes: 'add ./shared --skill deploy',
    adds: '--yes',
    effect: 'shows',
  },
  'an installed skill': {
    places: [`${cli}/installing/installed-text.ts: explain`],
    files: shared,
    argv: 'add ./shared --skill deploy --yes',
    proposes: 'explain deploy',
    effect: 'shows',
  },
  'a skill that was changed by hand': {
    places: [`${cli}/commands/update/run.ts: ci`],
    files: shared,
    before: ['add ./shared --all --yes'],
    later: { 'work/.agents/skills/deploy/SKILL.md': runs },
    argv: 'update',
    proposes: 'ci',
    adds: '--force --yes',
    effect: 'changes',
  },
  'a skill without cases': {
    places: [`${cli}/commands/eval/model.ts: new`],
    files: withSkill,
    argv: 'eval deploy --model small --replay',
    proposes: 'new NAME --evals',
    adds: 'other',
    effect: 'shows',
  },
  'an evaluation of an unknown name': {
    places: ['packages/evals/src/trial.ts: list', 'packages/evals/src/routing.ts: list'],
    files: withSkill,
    argv: 'eval nothing-like-it',
    proposes: 'list',
    effect: 'shows',
  },
  'skills that are near in words': {
    places: [`${cli}/commands/eval/text.ts: eval`],
    files: {
      ...project,
      'work/.claude/skills/one/SKILL.md': skill(`name: one\ndescription: ${near}`),
      'work/.claude/skills/two/SKILL.md': skill(`name: two\ndescription: ${near} soon`),
    },
    argv: 'eval',
    proposes: 'eval --overlap',
    effect: 'shows',
  },
  'a run that waits': {
    places: [`${cli}/runs/with-runs.ts: runs answer`],
    files: withSkill,
    prepare: waitingRun,
    argv: 'runs show one',
    proposes: 'runs answer one allow',
    effect: 'changes',
  },
  'an answer to a run that asks nothing': {
    places: [`${cli}/commands/runs-answer/run.ts: runs show`],
    files: withSkill,
    prepare: doneRun,
    argv: 'runs answer one allow',
    proposes: 'runs show one',
    effect: 'shows',
  },
  'a run that has ended': {
    places: ['packages/runs/src/logged-runs.ts: runs show'],
    files: withSkill,
    prepare: doneRun,
    argv: 'runs cancel one',
    proposes: 'runs show one',
    effect: 'shows',
  },
  'a journal of another program': {
    places: ['packages/install/src/transaction.ts: ci'],
    files: shared,
    before: ['add ./shared --all --yes'],
    prepare: path => {
      mkdirSync(`${path}/home/.local/state/skills/install`, { recursive: true })
      writeFileSync(journalIn(path), '{}', { mode: 0o600 })
    },
    argv: 'ci --yes',
    proposes: 'ci',
    adds: '--yes',
    byHand: path => rmSync(journalIn(path)),
    effect: 'changes',
  },
  'more than ten problems that belong to no skill': {
    places: [`${cli}/commands/explain/text.ts: lint`],
    files: {
      ...withSkill,
      'home/.config/skills/skills.config.json': JSON.stringify(
        Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`unknown${at}`, true])),
      ),
    },
    argv: 'explain qqqq',
    proposes: 'lint',
    effect: 'shows',
  },
  'an installed skill whose name another one takes from its agent': {
    places: ['packages/install/src/install-problems.ts: compat'],
    files: shared,
    before: ['add ./shared --skill deploy --yes --agent claude-code'],
    later: { 'home/.claude/skills/deploy/SKILL.md': own.replace('Ships it', 'Ships another') },
    argv: 'doctor',
    proposes: 'compat deploy',
    effect: 'shows',
  },
  'an agent that does not read the common folder': {
    places: [`${cli}/installing/installed-text.ts: sync`],
    files: shared,
    argv: 'add ./shared --skill deploy --yes',
    proposes: 'sync --agent claude-code',
    effect: 'changes',
  },
  'a link that the agent does not follow': {
    places: [`${cli}/installing/installed-text.ts: add`],
    files: { ...project, 'home/.claude/.keep': '', 'x/deploy/SKILL.md': own },
    argv: 'add ../x --link --yes',
    proposes: 'add ../x --skill deploy',
    adds: '--yes',
    effect: 'shows',
  },
  'a registry that does not exist': {
    places: ['packages/registry/src/postgres.ts: registry', 'packages/registry/src/sqlite.ts: registry'],
    files: project,
    argv: 'registry search notes',
    proposes: 'registry init',
    effect: 'changes',
  },
  'a registry that does not exist at a given place': {
    places: [`${cli}/commands/registry/run.ts: registry`],
    files: project,
    argv: "registry search notes --registry 'my team.db'",
    proposes: "registry init --registry 'my team.db'",
    effect: 'changes',
  },
  'a skill that a registry does not have': {
    places: [`${cli}/commands/registry/run.ts: registry`],
    files: project,
    before: ['registry init'],
    argv: 'registry show acme/notes',
    proposes: 'registry search WORDS',
    adds: 'notes',
    effect: 'shows',
  },
  'a run that does not exist': {
    places: [`${cli}/runs/with-runs.ts: runs`],
    files: withSkill,
    argv: 'runs show nothing-like-it',
    proposes: 'runs',
    effect: 'shows',
  },
  ...Object.fromEntries(
    [
      ['list --plugin-dir .', 'words'],
      ['lint .', 'lint'],
      ['plugin check', 'words'],
      ['audit --plugin-dir .', 'words'],
    ].map(([proposes = '', place = '']) => [
      `a plugin in the working folder: ${proposes}`,
      {
        places: [`${cli}/commands/overview/here-text.ts: ${place}`],
        files: plugin,
        argv: '',
        proposes,
        effect: 'shows',
      },
    ]),
  ),
}

/** Places whose situation this process cannot make, with the reason. */
export const notFollowed: Readonly<Record<string, string>> = {
  [`${cli}/commands/worker/run.ts: worker`]: 'needs a queue',
  [`${cli}/commands/mcp/run.ts: mcp`]: 'needs an MCP client',
  [`${cli}/engine/trust-folder.ts: trust`]: 'needs code outside the project',
  'packages/install/src/plan.ts: add': 'needs a plugin in another repository',
  'packages/authoring/src/pack-plugin.ts: plugin check': 'needs npm to leave out a folder that it should pack',
  'packages/distributions/src/server-files.ts: trust': 'needs an MCP server whose file changes while it starts',
  'packages/host/src/open-skills.ts: trust': 'needs a host',
  'plugins/source-plugin/src/plugin-servers.ts: trust': 'needs a host, and a server whose file changes while it starts',
  'packages/install/src/git.ts: add': 'needs a git server that redirects',
  'packages/install/src/npm.ts: update': 'needs a registry that publishes a version again',
  'packages/install/src/open-source.ts: update': 'needs a server whose archive changes',
  'packages/mcp-server/src/skill-resources.ts: lint': 'needs an MCP client',
  'packages/registry/src/new-version.ts: lint': 'needs a host with a registry',
  'packages/runs/src/journals.ts: runs prune': 'needs a queue with runs of other hosts',
  'packages/ui/src/answers/engine-answers.ts: eval': 'needs the page',
  'packages/ui/src/gate.ts: ui': 'needs a browser',
}

/** Places that name a command and propose nothing. */
export const proposeNothing: readonly string[] = [
  `${cli}/commands/lint/run.ts: lint`,
  `${cli}/commands/trust/run.ts: trust`,
  `${cli}/commands/eval/model.ts: eval`,
  `${cli}/installing/found-instead.ts: add`,
  'packages/evals/src/report.ts: eval',
  'packages/install/src/source.ts: add',
  // Words that are signed, and a lock of the database.
  'packages/runs/src/journals.ts: run',
  'packages/runs/src/run-keys.ts: run',
]
