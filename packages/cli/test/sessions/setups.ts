import { cpSync } from 'node:fs'
import path from 'node:path'
import { evalSetup, evalAgainstSetup } from './eval-setup.js'
import { runsSetup } from './runs-setup.js'
import type { Place, Setup, SetupEntry } from './setup.js'

const root = path.resolve(import.meta.dirname, '../../../..')

const skill = (fields: readonly string[], body: string): string => ['---', ...fields, '---', '', body, ''].join('\n')

const deploy = skill(
  [
    'name: deploy',
    'description: Deploy a branch to staging. Use when the user asks to deploy or to try a branch.',
    'argument-hint: [branch]',
    'allowed-tools: Bash(git push:*)',
  ],
  'The last commits:\n\n!`git log --oneline -2`\n\nPush $ARGUMENTS to staging, then open https://staging.example.com.',
)
const releaseNotes = skill(
  [
    'name: release-notes',
    'description: Write the notes of a release. Use before a release, or when the user asks what changed.',
    'argument-hint: [version]',
  ],
  'Write the notes of version $ARGUMENTS from CHANGELOG.md, in the form of template.md.',
)
/** Lacks quotes around its description. */
const triage = skill(
  ['name: triage', 'description: Sort new issues: bug, wish or question. Use when an issue is opened.'],
  'Read the issue. Say which of the three it is, and why.',
)

const projectFiles: Readonly<Record<string, SetupEntry>> = {
  'project/CHANGELOG.md': '# 2.1\n\n- Prices have a page of their own.\n',
  'project/.claude/skills/deploy/SKILL.md': deploy,
  'project/.claude/skills/release-notes/SKILL.md': releaseNotes,
  'project/.claude/skills/release-notes/template.md': '# Version\n\nWhat changed, and who notices.\n',
  'project/.claude/skills/triage/SKILL.md': triage,
}

/** Makes a repository of two commits, so that a skill has a log to show. */
async function commit({ run }: Place): Promise<void> {
  await run('git init -q -b main')
  await run("git add CHANGELOG.md && git commit -qm 'Add the changelog'")
  await run("git add . && git commit -qm 'Add skills'")
}

/** Skills of other people, in a folder beside the project. */
const sharedFiles: Readonly<Record<string, SetupEntry>> = {
  'shared/deploy/SKILL.md': deploy,
  'shared/review/SKILL.md': skill(
    ['name: review', 'description: Review a change before it is merged. Use when the user asks for a review.'],
    'Read the difference to the main branch. Name each fault with its file and line.',
  ),
}

const plugin: Readonly<Record<string, SetupEntry>> = {
  'project/database-skills/package.json': `${JSON.stringify(
    {
      name: 'database-skills',
      version: '0.1.0',
      description: 'Skills for people who work with a database.',
      keywords: ['agent-skills', 'skills'],
      files: ['skills'],
      license: 'MIT',
      skillsPaths: ['./skills'],
    },
    undefined,
    2,
  )}\n`,
  'project/database-skills/README.md': '# database-skills\n',
  'project/database-skills/skills/describe-schema/SKILL.md': skill(
    [
      'name: describe-schema',
      'description: Describe the tables of a database. Use when the user asks what is stored where.',
    ],
    'Read the files in `migrations/`, the oldest first. Say for each table what one row is.',
  ),
}

/** Setups by the name that pages give: `<!-- setup: NAME -->`. */
export const setups: Readonly<Record<string, Setup>> = {
  /** An empty repository. */
  empty: {},
  /** A repository with three skills, one of which has a fault. */
  project: { files: projectFiles, prepare: commit },
  /** The same, trusted. */
  trusted: {
    files: projectFiles,
    prepare: async place => {
      await commit(place)
      await place.run('skills trust --yes')
    },
  },
  /** The same, with another skill of the same name in the home folder. */
  shadowed: {
    files: {
      ...projectFiles,
      '.claude/skills/deploy/SKILL.md': skill(
        ['name: deploy', 'description: Deploy my own site. Use when I ask to deploy.'],
        'Run make deploy.',
      ),
    },
    prepare: commit,
  },
  /** Skills that a model is not told of, each for another reason. */
  missing: {
    files: {
      ...projectFiles,
      'project/skills/review/SKILL.md': sharedFiles['shared/review/SKILL.md'] ?? '',
      'project/.claude/skills/label/SKILL.md': skill(
        ['name: label', 'description: Label an issue.', 'user-invocable: maybe'],
        'Label it.',
      ),
      'project/.claude/skills/api-style/SKILL.md': skill(
        ['name: api-style', 'description: How our API is written. Use when it is changed.', 'paths: api/**'],
        'Write it as it is written.',
      ),
    },
    prepare: commit,
  },
  /** Files that are nearly skills. */
  nearly: {
    files: {
      'project/.claude/skills/deploy.md': deploy,
      'project/.claude/skills/release-notes/SKILL.md.txt': releaseNotes,
      'project/.claude/skills/triage/SKILL.md': triage
        .replace(/\n---\n\n(?=Read)/, '\n\n')
        .replace('issues:', 'issues,'),
      'project/.cursor/skills/review/SKILL.md': sharedFiles['shared/review/SKILL.md'] ?? '',
    },
  },
  /** A skill whose file cannot be read as one. */
  broken: { files: { 'project/.claude/skills/label/SKILL.md': skill(['name: label', 'user-invocable: maybe'], '') } },
  /** A repository without skills, and a folder of shared ones beside it. */
  shared: { files: sharedFiles },
  /** The shared skills in a registry. */
  registry: {
    files: sharedFiles,
    prepare: async ({ run }) => {
      await run('skills registry init --registry team.db')
      await run('skills registry add ../shared --registry team.db --namespace acme')
    },
    untilInterrupted: { 'skills registry serve --registry team.db': { last: /Ctrl-C/ } },
    masks: [[/(?<=127\.0\.0\.1:)\d+/g, '…']],
  },
  /** The shared skills, installed. */
  installed: { files: sharedFiles, prepare: ({ run }) => run('skills add ../shared --all --yes') },
  /** A clone of a repository whose skills were installed: the lock is there, the skills are not. */
  clone: {
    files: sharedFiles,
    prepare: async place => {
      await place.run('skills add ../shared --all --yes')
      // What this computer agreed to is not known on another one.
      await place.run('rm -r .agents ../.local')
    },
  },
  plugin: { files: plugin },
  /** Skills while they are watched: one more appears. */
  watched: {
    files: projectFiles,
    untilInterrupted: {
      'skills watch': {
        acts: [
          {
            when: /watching/,
            act: ({ write }) =>
              write({ 'project/.claude/skills/review/SKILL.md': sharedFiles['shared/review/SKILL.md'] ?? '' }),
          },
        ],
        last: /review/,
      },
    },
  },
  /** Commands that serve until they are interrupted. Their ports and tokens differ in each run. */
  served: {
    files: projectFiles,
    prepare: commit,
    untilInterrupted: {
      'skills ui': { last: /Ctrl-C/ },
      'skills mcp --http': { last: /Bearer/ },
      'skills mcp --http --no-token': { last: /No token is needed/ },
    },
    masks: [
      [/(?<=127\.0\.0\.1:)\d+/g, '…'],
      [/(?<=Bearer\s|#token=)\S+/g, '…'],
    ],
  },
  runs: runsSetup,
  eval: evalSetup,
  'eval-against': evalAgainstSetup,
  /** A repository with a distribution of its own, which is code. */
  module: {
    files: projectFiles,
    prepare: async ({ cwd }) => cpSync(path.join(root, 'packages/distributions/test/acme.mjs'), `${cwd}/acme.mjs`),
  },
  /** The example skills of this repository, on a wider terminal. */
  examples: {
    columns: 110,
    prepare: async ({ cwd }) => cpSync(path.join(root, 'examples/skills'), cwd, { recursive: true }),
  },
  /** A project beside a clone of this repository. */
  checkout: {
    columns: 110,
    files: {
      'my-project/.git': { dir: true },
      'my-project/.claude/skills/deploy/SKILL.md': skill(['description: Ship it from the project.'], 'Ship it.'),
      '.claude/skills/deploy/SKILL.md': skill(['description: Ship the current branch to staging.'], 'Ship it.'),
    },
  },
}
