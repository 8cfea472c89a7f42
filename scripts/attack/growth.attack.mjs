// @ts-check
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { checkText, parseHead, parseYaml, readFlatSkill, repairDocument, updateFrontmatter } from '@skills/frontmatter'
import { IgnoreRules, readJsonFile, readWholeFileSync } from '@skills/fs'
import { auditSkill, lintFiles } from '@skills/inspect'
import { findCode, findEmbeddedCommands, splitArguments } from '@skills/template'
import { parseRule, simpleCommand } from '@skills/tool-rules'
import { promptCommand } from '@skills/core'

/** @typedef {(text: string) => unknown} Reader */

/** What is repeated; of each case some are put together at random. `%d` is another number each time. */
const units = [
  'x,\n', 'x\n', '[', '{a: ', ']', '}', '- ', '- x\n', '- "x\n', '? x\n: y\n', 'k%d: v\n', 'k: v\n', 'k%d: b: c\n', 'k%d: "x\n', "k%d: 'x\n", 'k%d: "a" b\n', 'k%d: [x\n', 'k%d: {x: y,\n', 'k%d: | x\n  y\n',
  'k%d: @x\n', 'k%d: &a%d [x]\n', 'j%d: *a\n', 'name:x\n', '  name: x\n', '\tx: y\n', '%x y\n', '...\n', '# x\n', '\n', '\r\n', '\r', ' \n', ' ', '\t', '"', "'", '\\', '`', '```\n', '~~~\n', '<!--', '---\n', '!`x`\n', '!`', '$', '${', '$(',
  '$ARGUMENTS ', '**/', '*a', '**/a/', '[a-', '!', '#', '(', ')', 'Bash(a:*) ', 'a|', 'a && ', '<<E\n', '\u00a0', '\u00e9', '\u{1f600}', '\0', '\ufeff', '@a ', 'see a.md ', '](a) ',
]
/** What a text begins with. */
const heads = ['', 'a: ', 'a: [x,\n', 'a: {x: y,\n', 'a: "x\n', "a: 'x\n", 'a: |\n', 'a: >\n', 'a:\n', 'description: ', 'allowed-tools: ', '["', '{"a": "', '!`', '```\n', '(', '**/']

/** Bytes of a skill file: a larger one is refused before its body is looked at. */
const mostOfBody = 1024 * 1024

/** Milliseconds of this process, whatever else runs. */
function cpu() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** @param {number} seed */
function randomOf(seed) {
  let state = seed >>> 0
  return (/** @type {number} */ below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/**
 * @param {string} head
 * @param {readonly string[]} repeated
 * @param {number} bytes
 */
function grown(head, repeated, bytes) {
  const parts = [head]
  let length = head.length
  for (let at = 0; length < bytes; at++) {
    const part = (repeated[at % repeated.length] ?? 'x').replaceAll('%d', String(at))
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}

/** @param {string} text */
const inBlock = text => `---\n${text}\n---\nbody\n`
/** @param {string} text */
const withBody = text => `---\nname: x\ndescription: y\n---\n${text}`

/**
 * @param {string} folder
 * @returns {Readonly<Record<string, Reader>>}
 */
function readersIn(folder) {
  const file = path.join(folder, 'skills', 'x', 'SKILL.md')
  const json = path.join(folder, 'a.json')
  mkdirSync(path.dirname(file), { recursive: true })
  const deep = `${'a/'.repeat(60)}b`
  return {
    frontmatter: text => parseHead(Buffer.from(inBlock(text)), { whole: true, checkBody: true }),
    'frontmatter that never ends': text => parseHead(Buffer.from(`---\n${text}`), { whole: true, checkBody: true }),
    'text before frontmatter': text => parseHead(Buffer.from(`${text}\n---\nname: x\n---\n`), { whole: true, checkBody: true }),
    'frontmatter, the quick way': text => { const bytes = Buffer.from(inBlock(text)); return readFlatSkill(bytes, bytes.length, true, {}, true) },
    repair: text => repairDocument(inBlock(text)),
    update: text => updateFrontmatter(inBlock(text), { name: 'z' }),
    sidecar: text => parseYaml(text),
    'text check': text => checkText(Buffer.from(text)),
    'code of a body': text => text.length > mostOfBody ? undefined : findCode(text),
    'commands of a body': text => text.length > mostOfBody ? undefined : findEmbeddedCommands(text),
    arguments: text => splitArguments(text),
    lint: text => { writeFileSync(file, withBody(text)); return lintFiles([file]) },
    audit: text => auditSkill(promptCommand({ name: 'x', source: 'project', loadedFrom: 'skills', description: 'd', load: () => ({ template: text }) })),
    json: text => { writeFileSync(json, text); return readJsonFile(json, { code: 'invalid', what: 'The file' }) },
    'ignore file': text => { writeFileSync(path.join(folder, '.gitignore'), text); return IgnoreRules.under(folder).ignores(path.join(folder, deep)) },
    'paths patterns': text => IgnoreRules.patterns()(text.slice(0, mostOfBody).split('\n').slice(0, 100))(deep),
    'tool rule': text => parseRule(text, 'allow'),
    'simple command': text => simpleCommand(text),
  }
}

/**
 * @param {Reader} reader
 * @param {string} text
 * @param {number} times
 */
async function timeOf(reader, text, times) {
  let best = Infinity
  for (let at = 0; at < times && (at === 0 || best < 250); at++) {
    const start = cpu()
    try {
      await reader(text)
    } catch (error) {
      if (error instanceof RangeError || !(error instanceof Error) || !('code' in error)) throw error
    }
    best = Math.min(best, cpu() - start)
  }
  return best
}

const smallest = 16 * 1024
const largest = 8 * 1024 * 1024
/** Milliseconds below which a time is noise, that the largest file may take, and the steepest slope. */
const floor = 30
const limit = 1000
const steepest = 1.3

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'growth',
  title: 'Files of others grown by size, depth, width and repetition: every reader takes time in proportion, and special files hold nobody up.',
  counts: { short: 20, long: 4000 },
  async run({ count, seed, folder, progress }) {
    const random = randomOf(seed)
    const failures = special(folder)
    const readers = Object.entries(readersIn(folder))
    /** @type {Record<string, number>} */
    const worst = {}
    let tried = 5
    for (let at = 0; at < count; at++) {
      const [name, reader] = readers[at % readers.length] ?? readers[0] ?? ['', String]
      const head = heads[random(heads.length)] ?? ''
      const repeated = Array.from({ length: 1 + random(2) }, () => units[random(units.length)] ?? 'x')
      const what = `${name} of ${JSON.stringify(head)} and then ${JSON.stringify(repeated)} over and over`
      try {
        /** @type {[bytes: number, ms: number] | undefined} */
        let before
        for (let bytes = smallest; bytes <= largest; bytes *= 8) {
          const ms = await timeOf(reader, grown(head, repeated, bytes), 3)
          const slope = before === undefined ? 0 : Math.log(ms / Math.max(before[1], floor / 8)) / Math.log(bytes / before[0])
          if (ms > floor) worst[name] = Math.max(worst[name] ?? 0, slope)
          if (ms > limit || (ms > 4 * floor && slope > steepest)) {
            failures.push(`${what}: ${bytes} bytes took ${ms.toFixed(0)} ms${before === undefined ? '' : `, ${before[0]} took ${before[1].toFixed(0)} ms (slope ${slope.toFixed(2)})`}.`)
            break
          }
          before = [bytes, ms]
        }
      } catch (error) {
        failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
      }
      tried += 1
      progress(at + 1)
    }
    return { tried, failures, figures: Object.fromEntries(Object.entries(worst).map(([name, slope]) => [`steepest slope of ${name}`, slope.toFixed(2)])) }
  },
}

/**
 * Ignore files and any others that are no files. What waits for them never comes back, so the attack would not end.
 * @param {string} folder
 */
function special(folder) {
  const top = path.join(folder, 'special')
  mkdirSync(path.join(top, 'folder'), { recursive: true })
  symlinkSync('/dev/zero', path.join(top, 'zero'))
  symlinkSync('loop', path.join(top, 'loop'))
  symlinkSync('.', path.join(top, 'round'))
  execFileSync('mkfifo', [path.join(top, 'pipe')])
  writeFileSync(path.join(top, 'sparse'), '')
  truncateSync(path.join(top, 'sparse'), 5 * 1024 ** 3)
  const names = ['folder', 'zero', 'loop', 'pipe', 'sparse', 'round/round/pipe']
  return names.flatMap(name => {
    const file = readWholeFileSync(path.join(top, name), { within: [top] })
    return file !== undefined && 'problem' in file ? [] : [`${name} was read as a file.`]
  })
}
