// @ts-check
import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promptCommand, systemClock } from '@skills/core'
import { permissionRules } from '@skills/permission-rules'
import { pattern, spellings, tree } from './paths/grammar.mjs'
import { Random } from './random.mjs'

/** Spellings that are tried for one file and pattern. */
const waysAPattern = 24
const patternsATree = 8
/** Tools that rules about reading apply to, and how each is given a file. */
const tools = /** @type {const} */ ([
  ['Read', (/** @type {string} */ file) => file],
  ['NotebookRead', (/** @type {string} */ file) => file],
  ['Grep', (/** @type {string} */ file) => file],
  ['Edit', (/** @type {string} */ file) => file],
  ['Glob', (/** @type {string} */ file) => JSON.stringify({ pattern: '*', path: file })],
  ['Read', (/** @type {string} */ file) => JSON.stringify({ file_path: 'a', path: file })],
  ['Bash', (/** @type {string} */ file) => `cat '${file}'`],
  ['Bash', (/** @type {string} */ file) => `wc <'${file}'`],
])

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'paths',
  title:
    'paths that hide a file from a rule about files: what git ignores by the pattern is never allowed, and nothing else is by it',
  counts: { short: 1_000, long: 200_000 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    const failures = /** @type {string[]} */ ([])
    let [tried, forbidden, granted, honest, asked] = [0, 0, 0, 0, 0]
    const root = realpathSync(folder)
    const place = { cwd: `${root}/t/work`, home: `${root}/t/home`, platform: process.platform }
    while (tried < count) {
      const made = tree(random)
      makeTree(made, root)
      for (let at = 0; at < patternsATree && tried < count; at += 1) {
        const { rule, base, line } = pattern(random, made, `${root}/t`)
        const denying = await judge(place, {
          allow: ['Read', 'Edit', 'Grep', 'Glob', 'NotebookRead', 'Bash'],
          deny: [`Read(${rule})`],
        })
        const allowing = await judge(place, { allow: [`Read(${rule})`] })
        const wanted = Array.from({ length: waysAPattern }, () => {
          const file = random.pick(made.files.concat(made.fresh))
          return { file, way: random.pick(spellings(random, file, made, `${root}/t`)) }
        })
        const ignored = ignoredBy(
          `${root}/copy`,
          base,
          line,
          wanted.map(({ file }) => file),
        )
        for (const { file, way } of wanted) {
          if (!leadsTo(place.cwd, way, `${root}/t/${file}`)) continue
          tried += 1
          // Git matches bytes where a pattern leaves a character open.
          if (/[?[]/.test(line) && /[^\0-\x7f]/.test(file)) continue
          const isIgnored = ignored.has(file)
          const [tool, given] = random.pick(tools)
          // A spelling that a shell reads in another way does not lead to this file.
          if (tool === 'Bash' && (way.includes("'") || way.startsWith('~') || way.startsWith('file:'))) continue
          const behavior = await denying(tool, given(way))
          const told = `${tool} of ${JSON.stringify(given(way))}, which is ${file}, with Read(${rule}) (seed ${seed})`
          if (isIgnored) forbidden += 1
          if (isIgnored && behavior === 'allow') failures.push(`Denied and allowed: ${told}`)
          if (!isIgnored && behavior !== 'allow') asked += 1
          if (!isIgnored && behavior === 'allow') honest += 1
          const isAllowed = (await allowing('Read', way)) === 'allow'
          if (isAllowed) granted += 1
          if (isAllowed && !isIgnored) failures.push(`Allowed by a rule that is not about it: ${told}`)
        }
      }
      rmSync(`${root}/t`, { recursive: true })
      rmSync(`${root}/copy`, { recursive: true })
      progress(tried)
    }
    if (forbidden === 0 || granted === 0 || honest === 0)
      throw new Error('Nothing was denied, or nothing allowed: this proves nothing.')
    return {
      tried,
      failures,
      figures: {
        'about files that the pattern denies': forbidden,
        'allowed by the pattern': granted,
        'of other files, allowed': honest,
        'of other files, not allowed (a link, a script or letter case leads near)': asked,
      },
    }
  },
}

/**
 * @param {import('./paths/grammar.mjs').Tree} made
 * @param {string} root
 */
function makeTree({ files, folders, links }, root) {
  for (const top of [`${root}/t`, `${root}/copy`]) {
    for (const one of folders) mkdirSync(`${top}/${one}`, { recursive: true })
    for (const one of files) writeFileSync(`${top}/${one}`, '')
  }
  for (const [name, target] of links) symlinkSync(target.replace('ROOT', `${root}/t`), `${root}/t/${name}`)
  execFileSync('git', ['init', '-q'], { cwd: `${root}/copy`, env })
}

const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  HOME: tmpdir(),
}

/**
 * Returns those of the files that git ignores by one line.
 * @param {string} repository
 * @param {string} base the folder that the line is about, below the repository
 * @param {string} line
 * @param {readonly string[]} files
 */
function ignoredBy(repository, base, line, files) {
  const place = path.join(repository, base, '.gitignore')
  writeFileSync(place, `${line}\n`)
  try {
    const out = execFileSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
      cwd: repository,
      env,
      input: files.join('\0'),
    })
    return new Set(out.toString('utf8').split('\0'))
  } catch (error) {
    // Git ends with 1 if it ignores none of them.
    if (error instanceof Error && 'status' in error && error.status === 1) return new Set()
    throw error
  } finally {
    rmSync(place)
  }
}

/**
 * Returns true if the system opens this file by that spelling; for a file that does not exist, if it would create it
 * there.
 * @param {string} cwd
 * @param {string} way
 * @param {string} file
 */
function leadsTo(cwd, way, file) {
  const plain = way.startsWith('file://') ? decodeURIComponent(way.slice(7)) : way
  const home = plain.startsWith('~/') ? path.dirname(cwd) + '/home' + plain.slice(1) : plain
  const raw = home.startsWith('/') ? home : `${cwd}/${home}`
  const one = statOf(raw)
  const other = statOf(file)
  if (one !== undefined && other !== undefined) return one.dev === other.dev && one.ino === other.ino
  if (one !== undefined || other !== undefined) return false
  const [parent, wanted] = [statOf(raw.slice(0, raw.lastIndexOf('/')) || '/'), statOf(path.dirname(file))]
  return (
    parent !== undefined &&
    wanted !== undefined &&
    parent.ino === wanted.ino &&
    path.basename(raw) === path.basename(file)
  )
}

/** @param {string} file */
function statOf(file) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ELOOP', 'ENOTDIR', 'EACCES'].includes(String(error.code)))
      return undefined
    throw error
  }
}

/**
 * @param {Readonly<Record<'cwd' | 'home', string>> & { platform: NodeJS.Platform }} place
 * @param {import('@skills/permission-rules').PermissionRulesOptions} options
 */
async function judge(place, options) {
  const verdict = { level: 'trusted', isApproved: true }
  const { signal } = new AbortController()
  /** @type {any} The part of an engine that the provider asks. */
  const context = {
    signal,
    host: { ...place, clock: systemClock },
    report() {},
    use: () => ({ first: async (/** @type {any} */ ask) => ask({ judge: () => verdict }, { signal }) }),
  }
  const permission = await permissionRules(options).setup(context)
  const command = promptCommand({ name: 'deploy', source: 'user', load: () => ({ template: '' }) })
  const named = /** @type {const} */ ({ name: 'deploy', provider: 'attack', override: 'on', isQualified: false })
  const entry = { ...named, command }
  return async (/** @type {string} */ tool, /** @type {string} */ content) => {
    const request = /** @type {const} */ ({ tool, content, entry, trust: 'trusted', caller: 'model', args: '' })
    return (await permission.check(request, { signal })).behavior
  }
}
