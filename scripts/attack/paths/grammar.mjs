// @ts-check
import path from 'node:path'

/** @typedef {import('../random.mjs').Random} Random */

/**
 * @typedef {object} Tree
 * @property {string[]} folders below the root, with the working folder and the home folder among them
 * @property {string[]} files
 * @property {string[]} fresh files that do not exist, in folders that do
 * @property {(readonly [name: string, target: string])[]} links a target may begin with ROOT
 */

const names = [
  'a',
  'b',
  'A',
  '.env',
  '.env.local',
  'secrets',
  'key.pem',
  'x y',
  'src',
  'c.ts',
  'd[1]',
  'e*',
  'f$g',
  'é',
  '-n',
  '#h',
  '!i',
  'j{k}',
  'l~',
  '~',
  'm(n)',
  'o,p',
]

/**
 * @param {Random} random
 * @returns {Tree}
 */
export function tree(random) {
  const folders = ['work', 'home', 'out', 'work/secrets', 'home/.ssh']
  const files = ['work/.env', 'work/secrets/key.pem', 'home/.ssh/id']
  const taken = new Set([...folders, ...files])
  const fresh = /** @type {string[]} */ ([])
  /** @param {boolean} [isFolder] */
  const add = isFolder => {
    const place = `${random.pick(folders)}/${random.pick(names)}`
    if (taken.has(place)) return undefined
    taken.add(place)
    if (isFolder === true) folders.push(place)
    return place
  }
  for (let at = 0; at < 8; at += 1) add(true)
  for (let at = 0; at < 14; at += 1) files.push(add() ?? 'work/.env')
  for (let at = 0; at < 5; at += 1) fresh.push(add() ?? 'work/secrets/new')
  const links = /** @type {[string, string][]} */ ([])
  for (let at = 0; at < 9; at += 1) {
    const name = add()
    if (name === undefined) continue
    const target = random.pick([...folders, ...files, ...links.map(([link]) => link)])
    const relative = path.relative(path.dirname(name), target) || '.'
    links.push([name, random.pick([relative, `./${relative}`, `ROOT/${target}`, `ROOT/work/../${target}`])])
  }
  if (random.once(3)) links.push(['work/loop', 'loop'])
  if (random.once(3)) links.push(['work/all', '/'])
  return {
    folders,
    files: [...new Set(files)],
    fresh: [...new Set(fresh)].filter(file => !taken.has(`${file}/`)),
    links,
  }
}

/**
 * Makes a pattern, as a rule has it and as the `.gitignore` of a folder has it.
 * @param {Random} random
 * @param {Tree} made
 * @param {string} root
 * @returns {{ rule: string, base: string, line: string }}
 */
export function pattern(random, made, root) {
  for (;;) {
    const base = random.pick(['work', 'work', 'work', 'home', '.', 'out'])
    const body = bodyOf(random, made, base)
    // `Tool(*)` applies to all of that tool, by its name.
    if (
      body === '' ||
      body === '*' ||
      body.startsWith('/') ||
      body.startsWith('!') ||
      /\/\/|(?:^|\/)\.\.?(?:\/|$)/.test(body)
    )
      continue
    if (base !== 'work') {
      const start = base === 'home' ? '~/' : `/${root}${base === '.' ? '' : `/${base}`}/`
      return { rule: start + body, base, line: `/${body}` }
    }
    const isNamed = random.once(3)
    if (!isNamed && /^[#!~$%]/.test(body)) continue
    return isNamed ? { rule: `./${body}`, base, line: `/${body}` } : { rule: body, base, line: body }
  }
}

/**
 * @param {Random} random
 * @param {Tree} made
 * @param {string} base
 */
function bodyOf(random, made, base) {
  const inside = [...made.folders, ...made.files, ...made.fresh].filter(
    one => base === '.' || one.startsWith(`${base}/`),
  )
  if (inside.length === 0 || random.once(12))
    return random.pick(['**', '**/*.pem', '.env*', '**/secrets/**', '*', '?', '[a-c]', '**/[!a]', 'src/**/b'])
  const whole = base === '.' ? random.pick(inside) : random.pick(inside).slice(base.length + 1)
  const steps = whole.split('/').map(step => (random.once(3) ? blurred(random, step) : escaped(step)))
  const from = random.once(4) ? random.below(steps.length) : 0
  const cut = steps.slice(from, from + 1 + random.below(steps.length))
  return (random.once(5) ? '**/' : '') + cut.join('/') + random.pick(['', '', '', '/', '/**', '/*', '*'])
}

/** @param {string} step */
const escaped = step => step.replace(/[\\*?[\]{}()#!]/g, String.raw`\$&`)

/**
 * @param {Random} random
 * @param {string} step
 */
function blurred(random, step) {
  const at = random.below(step.length)
  const char = step[at] ?? ''
  if (!/^[\x20-\x7e]*$/.test(step)) return escaped(step)
  return random.pick([
    '*',
    `${escaped(step.slice(0, at))}*`,
    `*${escaped(step.slice(at))}`,
    `${escaped(step.slice(0, at))}?${escaped(step.slice(at + 1))}`,
    /[a-z]/.test(char) ? `${escaped(step.slice(0, at))}[a-z]${escaped(step.slice(at + 1))}` : escaped(step),
    /[a-zA-Z]/.test(char) ? `${escaped(step.slice(0, at))}[!0-9]${escaped(step.slice(at + 1))}` : escaped(step),
    '**',
  ])
}

/**
 * Returns spellings of one file. Some lead elsewhere in the end, which the attack notices by the file that opens.
 * @param {Random} random
 * @param {string} file
 * @param {Tree} made
 * @param {string} root
 * @returns {string[]}
 */
export function spellings(random, file, made, root) {
  const absolute = `${root}/${file}`
  const relative = path.relative('work', file)
  const folder = random.pick(made.folders)
  const up = '../'.repeat(folder.split('/').length)
  const around = `${path.relative('work', folder) || '.'}/${up}${file}`
  /** Spellings through each link whose target is the file, or a folder that has it. */
  const linked = made.links.flatMap(([name, target]) => {
    const real = path.resolve(path.dirname(`/${name}`), target.replace('ROOT', '')).slice(1)
    const rest = real === file ? '' : file.startsWith(`${real}/`) ? file.slice(real.length) : undefined
    const through = `${path.relative('work', name)}`
    const outer = real === '' || target === '/' ? [`${through}${absolute}`] : []
    return [
      ...(rest === undefined ? [] : [through + rest, `${root}/${name}${rest}`, `./${through}/.${rest}`]),
      ...outer,
      `${through}/../${path.relative(path.dirname(real), file)}`,
    ]
  })
  const plain = [
    relative,
    `./${relative}`,
    absolute,
    around,
    relative.replaceAll('/', '//'),
    `/${absolute}`,
    `/proc/self/root${absolute}`,
    `/../..${absolute}`,
    `file://${absolute}`,
  ]
  const home = file.startsWith('home/') ? [`~/${file.slice(5)}`] : []
  return [...plain, ...home, ...linked, ...linked, ...(random.once(4) ? [`${relative}/`, `${relative}/.`] : [])]
}
