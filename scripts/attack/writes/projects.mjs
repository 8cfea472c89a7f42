// @ts-check
import { createHash } from 'node:crypto'
import {
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

/** @typedef {import('../random.mjs').Random} Random */

/**
 * Folders in which nothing may change: those outside of the project, and those that other programs of the project run
 * or trust.
 */
const canaries = [
  'outside',
  'project/.git',
  'project/.github',
  'project/.husky',
  'project/.vscode',
  'project/node_modules',
  'project/store',
  'project/vendor',
]

/** @type {Record<string, string>} */
const files = {
  'outside/.bashrc': 'mine',
  'outside/SKILL.md': '---\nname: greet\ndescription: Use it: now\n---\nmine\n',
  'outside/hooks/pre-commit': 'mine',
  'outside/objects/SKILL.md': 'mine',
  'outside/greet/SKILL.md': '---\nname: greet\ndescription: Use it: now\n---\nmine\n',
  'outside/last-report.json': 'mine',
  'outside/settings.local.json': '{}',
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'project/.git/config': '[core]\n',
  'project/.git/hooks/sample': 'mine',
  'project/.git/objects/kept': 'unpushed',
  'project/.git/refs/heads/main': '0',
  'project/.github/workflows/ci.yml': 'mine',
  'project/.husky/pre-commit': 'mine',
  'project/.vscode/tasks.json': '{}',
  'project/node_modules/x/index.js': 'mine',
  'project/store/HEAD': 'ref: refs/heads/main\n',
  'project/store/objects/kept': 'x',
  'project/store/hooks/sample': 'x',
  'project/vendor/objects/keep': 'mine',
  'project/src/objects/SKILL.md': '---\nname: objects\ndescription: x\n---\nx\n',
  'project/src/hooks/SKILL.md': '---\nname: hooks\ndescription: x\n---\nx\n',
  'project/src/hooks/pre-commit': '#!/bin/sh\necho theirs\n',
  'project/.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: Use it: now\n---\nHello.\n',
  'project/.claude/skills/greet/evals/evals.json': '{"queries":[{"query":"x","should_trigger":true}]}',
  'project/package.json': '{"name":"hostile","version":"1.0.0"}',
}

/** Places that commands write to, where a repository may have put a link. */
const linked = [
  '.agents',
  '.agents/skills',
  '.agents/skills/objects',
  '.agents/skills/hooks',
  '.claude',
  '.claude/skills',
  '.claude/skills/greet',
  '.claude/skills/greet/SKILL.md',
  '.claude/skills/hooks',
  '.claude/settings.local.json',
  '.codex',
  'skills.json',
  'skills.lock.json',
  'evals',
  'evals/recordings',
  'evals/recordings/last-report.json',
  'evals/recordings/greet',
  'report.html',
  'out',
  'out/report.html',
  'skills',
  'README.md',
]
/** Targets of the links, relative to the project. */
const targets = [
  '.git',
  '.git/hooks',
  '.git/config',
  '.github/workflows',
  '.github/workflows/ci.yml',
  '.husky',
  '.vscode',
  'node_modules/x',
  'store',
  'store/hooks',
  'vendor',
  '../outside',
  '../outside/.bashrc',
  '../outside/greet',
  '../outside/SKILL.md',
  '../outside/last-report.json',
  '../outside/nothing',
]
/** Folders that a lock names for an agent. */
const folders = [
  '.git',
  '.GIT',
  '.git.',
  'GIT~1',
  '.g\u200Cit',
  '.git/hooks',
  '.Git ',
  '.github/workflows',
  '.husky',
  '.vscode',
  'node_modules',
  'Node_Modules',
  'vendor',
  'store',
  'store/hooks',
  '..',
  '../outside',
  'x/../.git',
  '.claude',
  '/tmp',
  '.hg',
  'src/..',
]

export const commands = [
  ['ci'],
  ['ci', '--yes'],
  ['ci', '--yes', '--force'],
  ['sync', '--yes', '--force'],
  ['sync', '--yes', '--force', '--agent', 'claude-code', '--agent', 'codex'],
  ['add', './src', '--all', '--yes', '--force'],
  ['add', './src', '--skill', 'objects', '--link', '--agent', 'claude-code', '--yes'],
  ['update', '--yes', '--force'],
  ['remove', 'objects', '--force'],
  ['verify'],
  ['new', 'hooks'],
  ['new', 'hooks', '--dir', 'out'],
  ['new', 'hooks', '--dir', '.git'],
  ['new', 'hooks', '--plugin'],
  ['lint', '--fix'],
  ['lint', '--fix', '.claude/skills/greet'],
  ['plugin', 'init'],
  ['eval', '--model', 'm', '--replay'],
  [
    'eval',
    '--model',
    'm',
    '--replay',
    '--junit',
    'report.html',
    '--markdown',
    'out/report.html',
    '--save-baseline',
    '.git/config',
  ],
  ['ui', '--export', 'report.html'],
  ['ui', '--export', 'out/report.html'],
  ['ui', '--export', '.git/hooks/pre-commit'],
  ['trust', '--yes'],
  ['run', 'greet', '--yes'],
]

/**
 * Makes a project whose content is all chosen by a hostile repository.
 * @param {string} base
 * @param {Random} random
 * @param {number} owner
 */
export function makeProject(base, random, owner) {
  rmSync(base, { recursive: true, force: true })
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(`${base}/${file}`), { recursive: true })
    writeFileSync(`${base}/${file}`, text)
  }
  mkdirSync(`${base}/home`, { mode: 0o700 })
  const project = `${base}/project`
  const lock = lockOf(random)
  writeFileSync(
    `${project}/skills.json`,
    JSON.stringify({
      agents: random.pick([[], ['codex'], ['claude-code', 'codex']]),
      skills: { objects: { source: './src' }, hooks: { source: './src' } },
    }),
  )
  writeFileSync(`${project}/skills.lock.json`, lock)
  /** @type {string[]} */
  const links = []
  for (let left = random.below(4); left > 0; left--) {
    const [link, target] = [random.pick(linked), random.pick(targets)]
    const at = `${project}/${link}`
    try {
      mkdirSync(path.dirname(at), { recursive: true })
      rmSync(at, { recursive: true, force: true })
      symlinkSync(path.relative(path.dirname(at), `${project}/${target}`), at)
      links.push(`${link} -> ${target}`)
    } catch {
      // An earlier link is on the way.
    }
  }
  give(base, owner)
  return { links, lock: /"agents":(\{[^}]*\})/.exec(lock)?.[1] ?? '' }
}

/** @param {Random} random */
function lockOf(random) {
  const agents = () =>
    Object.fromEntries(
      random
        .pick([[], ['codex'], ['claude-code'], ['codex', 'claude-code']])
        .map(agent => [
          agent,
          random.pick([
            'same',
            'link .claude/skills',
            `${random.pick(['copy', 'link'])} ${random.pick(folders)}`,
            'link .claude/skills',
          ]),
        ]),
    )
  const skills = Object.fromEntries(
    ['hooks', 'objects'].map(name => {
      const own = Object.keys(files).filter(file => file.startsWith(`project/src/${name}/`))
      const entries = Object.fromEntries(
        own.map(file => [file.slice(`project/src/${name}/`.length), sha256(files[file] ?? '')]).toSorted(),
      )
      const digest = `sha256:${sha256(
        Object.entries(entries)
          .map(([file, entry]) => `${entry}  ${file}\n`)
          .join(''),
      )}`
      return [
        name,
        {
          source: './src',
          resolved: { type: 'folder', path: './src' },
          path: name,
          digest,
          agents: agents(),
          files: entries,
        },
      ]
    }),
  )
  return JSON.stringify({ version: 1, skills })
}

/**
 * Returns everything that must stay as it is, a text for each entry.
 * @param {string} base
 * @returns {Map<string, string>}
 */
export function canaryOf(base) {
  /** @type {Map<string, string>} */
  const found = new Map()
  const look = (/** @type {string} */ at) => {
    const stats = lstatSync(`${base}/${at}`)
    const content = stats.isSymbolicLink()
      ? readlinkSync(`${base}/${at}`)
      : stats.isFile()
        ? sha256(readFileSync(`${base}/${at}`))
        : ''
    found.set(at, `${stats.mode} ${stats.ino} ${content}`)
    if (stats.isDirectory()) for (const name of readdirSync(`${base}/${at}`)) look(`${at}/${name}`)
  }
  for (const one of canaries) look(one)
  return found
}

/** @param {string | Buffer} text */
function sha256(text) {
  return createHash('sha256').update(text).digest('hex')
}

/** @param {string} at @param {number} owner */
function give(at, owner) {
  if (process.getuid?.() !== 0) return
  const stats = lstatSync(at)
  if (stats.isSymbolicLink()) return
  chownSync(at, owner, owner)
  if (stats.isDirectory()) for (const name of readdirSync(at)) give(`${at}/${name}`, owner)
}
