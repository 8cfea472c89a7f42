// Makes the trees that are measured. They have the same bytes every time, so that runs can be compared.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { basename, join } from 'node:path'

const words = (
  'archive branch build cache check cluster commit config convert copy deploy diff draft edit export fetch filter format graph group ' +
  'hash import index join label layout link lint list load log merge mock move name notify order pack parse patch path plan print probe query ' +
  'queue rank read render report reset restore review route scan schema score search select send share sort split stage start stop store stream ' +
  'style sync table tag task test theme trace track trim tune type unit update upload user verify view wait walk watch write'
).split(' ')

/** Returns a small random generator: the same seed gives the same numbers (mulberry32). */
function numbers(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function writer(seed) {
  const next = numbers(seed)
  const word = () => words[Math.floor(next() * words.length)]
  const sentence = () => {
    const text = Array.from({ length: 8 + Math.floor(next() * 10) }, word).join(' ')
    return `${text[0].toUpperCase()}${text.slice(1)}.`
  }
  const prose = length => {
    let text = ''
    while (text.length < length) text += `${sentence()} `
    return `${text.slice(0, length - 1).trimEnd()}.`
  }
  const body = title => {
    let text = `\n# ${title}\n\n`
    const length = 4096 + Math.floor(next() * 6144)
    while (text.length < length)
      text += `## ${word()} ${word()}\n\n${prose(400)}\n\n- ${prose(80)}\n- ${prose(80)}\n\n\`\`\`bash\n${word()} --${word()} ${word()}.json\n\`\`\`\n\n`
    return text
  }
  return { next, word, prose, body }
}

/** Writes a plain skill, which the fast path of the parser can read. */
function plainSkill(at, { word, prose, body }) {
  const name = `${word()}-${word()}-${String(at).padStart(5, '0')}`
  let block = `name: ${name}\ndescription: Use this when somebody wants to ${prose(270)}\n`
  if (at % 3 === 0) block += `license: MIT\nmetadata:\n  group: set-${at % 17}\n  version: "1.${at % 9}"\n`
  if (at % 4 === 0) block += 'allowed-tools: Read Grep Bash(git:*)\n'
  return { name, text: `---\n${block}---\n${body(name)}` }
}

/**
 * Writes a skill in the proportions found in public repositories: with quoted, folded and listed values, escapes,
 * comments, CRLF, and frontmatter that needs repair.
 */
function mixedSkill(at, tools) {
  const { next, word, prose, body } = tools
  const name = `${word()}-${word()}-${String(at).padStart(5, '0')}`
  const draw = next()
  const text = prose(150 + Math.floor(next() * 500))
  let description = text
  if (draw < 0.25) description = `"${text.replaceAll('.', '. \\"As said\\":').slice(0, 400)}"`
  else if (draw < 0.33) description = `'${text}'`
  else if (draw < 0.45) description = `>\n  ${prose(200)}\n  ${text}`
  else if (draw < 0.5) description = `|\n  ${prose(100)}\n  ${text}`
  else if (draw < 0.51) description = `Use for this: ${text}`
  let block = `name: ${name}\ndescription: ${description}\n`
  if (next() < 0.25)
    block += `allowed-tools: ${next() < 0.5 ? 'Read, Write, Bash(git:*)' : '[Read, Write, "Bash(npm:*)"]'}\n`
  if (next() < 0.2) block += `tags:\n  - ${word()}\n  - ${word()}\n`
  if (next() < 0.2) block += `metadata:\n  author: set-${at % 17}\n  version: 1.${at % 9}.0\n`
  if (next() < 0.03) block += `# ${prose(40)}\n`
  const file = `---\n${block}---\n${body(name)}`
  return { name, text: next() < 0.005 ? file.replaceAll('\n', '\r\n') : file }
}

function writeTree(root, count, make) {
  const skills = join(root, '.claude/skills')
  if (existsSync(join(root, 'complete'))) return skills
  const tools = writer(count)
  for (let at = 0; at < count; at++) {
    const { name, text } = make(at, tools)
    mkdirSync(join(skills, name), { recursive: true })
    writeFileSync(join(skills, name, 'SKILL.md'), text)
  }
  writeFileSync(join(root, 'complete'), '')
  return skills
}

/** Makes a project of `count` plain skills below `folder`, and returns the project's folder. */
export function plainTree(folder, count) {
  const root = join(folder, `plain-${count}`)
  writeTree(root, count, plainSkill)
  return root
}

/**
 * Writes the same `count` files twice: in one root, and spread over managed, user and three levels of project folders,
 * as skills and as legacy commands. Returns the folders of both.
 */
export function spreadTree(folder, count) {
  const root = join(folder, `spread-${count}`)
  const places = ['managed/.claude', 'home/.claude', 'repo/.claude', 'repo/apps/.claude', 'repo/apps/web/.claude']
  if (!existsSync(join(root, 'complete'))) {
    const tools = writer(count)
    for (let at = 0; at < count; at++) {
      const { name, text } = plainSkill(at, tools)
      const place = places[at % places.length]
      // Every fifth file of a place is a legacy command.
      const isCommand = Math.floor(at / places.length) % 5 === 0
      const files = [
        isCommand ? join(place, 'commands', `${name}.md`) : join(place, 'skills', name, 'SKILL.md'),
        join('one/.claude/skills', name, 'SKILL.md'),
      ]
      for (const file of files) {
        mkdirSync(join(root, file, '..'), { recursive: true })
        writeFileSync(join(root, file), text)
      }
    }
    mkdirSync(join(root, 'repo/.git'))
    writeFileSync(join(root, 'complete'), '')
  }
  return {
    cwd: join(root, 'repo/apps/web'),
    home: join(root, 'home'),
    managed: join(root, 'managed'),
    one: join(root, 'one'),
  }
}

/**
 * Makes `plugins` plugins of `each` skills below `folder`, each with a manifest, and returns the folder of the plugins.
 */
export function pluginTree(folder, plugins, each) {
  const root = join(folder, `plugins-${plugins}x${each}`)
  if (existsSync(join(root, 'complete'))) return root
  const tools = writer(plugins)
  for (let plugin = 0; plugin < plugins; plugin++) {
    const name = `plugin-${String(plugin).padStart(4, '0')}`
    mkdirSync(join(root, name, '.claude-plugin'), { recursive: true })
    writeFileSync(
      join(root, name, '.claude-plugin/plugin.json'),
      JSON.stringify({ name, version: '1.0.0', description: `Plugin ${plugin}.` }),
    )
    for (let at = 0; at < each; at++) {
      const { name: skill, text } = plainSkill(plugin * each + at, tools)
      mkdirSync(join(root, name, 'skills', skill), { recursive: true })
      writeFileSync(join(root, name, 'skills', skill, 'SKILL.md'), text)
    }
  }
  writeFileSync(join(root, 'complete'), '')
  return root
}

/**
 * Unpacks real skill files where a corpus is given (a folder with `train.tar.gz`), or else writes as many generated
 * ones of the same shapes.
 */
export function corpusTree(folder, corpus) {
  if (corpus === undefined) {
    const root = join(folder, 'mixed-3187')
    writeTree(root, 3187, mixedSkill)
    return root
  }
  const root = join(folder, 'corpus')
  const skills = join(root, '.claude/skills')
  if (existsSync(join(root, 'complete'))) return root
  const unpacked = join(folder, 'unpacked')
  mkdirSync(unpacked, { recursive: true })
  const { status, stderr } = spawnSync('tar', ['xzf', join(corpus, 'train.tar.gz'), '-C', unpacked], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The corpus could not be unpacked: ${stderr}`)
  let at = 0
  const visit = path => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name)
      if (entry.isDirectory()) visit(inner)
      else if (entry.name === 'SKILL.md') {
        const skill = join(skills, `${basename(path)}-${at++}`)
        mkdirSync(skill, { recursive: true })
        writeFileSync(join(skill, 'SKILL.md'), readFileSync(inner))
      }
    }
  }
  visit(unpacked)
  writeFileSync(join(root, 'complete'), '')
  return root
}
