// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createSkills, loadResult, processHost, promptCommand } from '@skills/core'
import { checkedAgainst, distributionNamed } from '@skills/distributions'
import { budgetFormatter } from '@skills/formatter-budget'
import {
  checkText,
  commandOf as commandOfBytes,
  parseHead,
  parseYaml,
  repairDocument,
  updateFrontmatter,
} from '@skills/skill-md'
import { IgnoreRules, readJsonFile } from '@skills/files'
import { auditSkill, lintFiles } from '@skills/inspect'
import { parseSlash, readHooks } from '@skills/invocation'
import { enginePort, formatterKind, searchIndex } from '@skills/invocation/skill-tool'
import { findCode, findEmbeddedCommands, splitArguments } from '@skills/expansion'
import { broadProbe, simpleCommand, strictProbe } from '@skills/rules/internal'
import { parseRule } from '@skills/rules'

/** @typedef {(text: string) => unknown} Reader */

/** @param {string} text */
const inBlock = text => `---\n${text}\n---\nbody\n`
/** @param {string} text */
const withBody = text => `---\nname: x\ndescription: y\n---\n${text}`
/** @param {string} description @param {string} template */
const commandOf = (description, template) =>
  promptCommand({ name: 'x', source: 'project', loadedFrom: 'skills', description, load: () => ({ template }) })

/**
 * Returns functions of the libraries that read a text of others, without the limits on the files that it comes from.
 * @param {string} folder
 * @returns {Readonly<Record<string, Reader>>}
 */
export function readersIn(folder) {
  const file = path.join(folder, 'skills', 'x', 'SKILL.md')
  const json = path.join(folder, 'a.json')
  mkdirSync(path.dirname(file), { recursive: true })
  const deep = `${'a/'.repeat(60)}b`
  return {
    frontmatter: text => parseHead(Buffer.from(inBlock(text)), { whole: true, checkBody: true }),
    'frontmatter that never ends': text => parseHead(Buffer.from(`---\n${text}`), { whole: true, checkBody: true }),
    'text before frontmatter': text => {
      return parseHead(Buffer.from(`${text}\n---\nname: x\n---\n`), { whole: true, checkBody: true })
    },
    'command of bytes': text => {
      return commandOfBytes(Buffer.from(inBlock(text)), { name: 'x', source: 'project' })
    },
    repair: text => repairDocument(inBlock(text)),
    update: text => updateFrontmatter(inBlock(text), { name: 'z' }),
    sidecar: text => parseYaml(text),
    'text check': text => checkText(Buffer.from(text)),
    'code of a body': text => findCode(text),
    'commands of a body': text => findEmbeddedCommands(text),
    arguments: text => splitArguments(text),
    'slash command': text => parseSlash(`/${text}`, () => false),
    lint: text => {
      writeFileSync(file, withBody(text))
      return lintFiles([file])
    },
    'lint of a block': text => {
      writeFileSync(file, inBlock(text))
      return lintFiles([file])
    },
    audit: text => auditSkill(commandOf('d', text)),
    json: text => {
      writeFileSync(json, text)
      return readJsonFile(json, { code: 'invalid', what: 'The file' })
    },
    'json with comments': text => {
      writeFileSync(json, text)
      return readJsonFile(json, { code: 'invalid', what: 'The file', comments: true })
    },
    'hooks of a file': text => readHooks({ PreToolUse: text.split('\n').map(command => ({ hooks: [{ command }] })) }),
    'ignore file': text => {
      writeFileSync(path.join(folder, '.gitignore'), text)
      return IgnoreRules.under(folder).ignores(path.join(folder, deep))
    },
    'paths patterns': text => IgnoreRules.patterns()(text.split('\n'))(deep),
    'tool rule': text => parseRule(text, 'allow'),
    'simple command': text => simpleCommand(text),
    'command that is allowed': text => strictProbe({ tool: 'Bash', content: text }),
    'command that is denied': text => broadProbe({ tool: 'Bash', content: text }),
    search: async text => (await searchIndex([{ name: 'x', description: text, body: text }])).search('deploy'),
    'search query': async text => (await searchIndex([{ name: 'x', description: 'y' }])).search(text),
    listing,
    ...Object.fromEntries(
      Object.keys(checkedAgainst).map(name => [`frontmatter of ${name}`, readerOf(name, path.join(folder, name))]),
    ),
  }
}

/**
 * Returns a reader of the given distribution, for those that read frontmatter in their own way. Each text is followed
 * by characters that in some of them end neither a value nor a line.
 * @param {string} name @param {string} folder
 * @returns {Reader}
 */
function readerOf(name, folder) {
  const agent = name === 'claude-code' || name === 'openskills' ? '.claude' : '.agents'
  const file = path.join(folder, agent, 'skills', 'x', 'SKILL.md')
  mkdirSync(path.dirname(file), { recursive: true })
  return async text => {
    writeFileSync(file, inBlock(`${text} z\ry`))
    const make = await distributionNamed(name)
    const host = processHost({ cwd: folder, home: path.join(folder, 'home'), env: {} })
    const skills = createSkills(make({ host, managed: { dirs: [] }, onDiagnostic: () => {} }))
    try {
      return await skills.catalog()
    } finally {
      await skills.close()
    }
  }
}

/** @param {string} text the description of one skill, and of ten thousand skills that have a line of it each */
async function listing(text) {
  const commands = [
    commandOf(text, ''),
    ...text
      .split('\n')
      .slice(0, 10_000)
      .map((line, at) =>
        promptCommand({ name: `x${at}`, source: 'user', description: line, load: () => ({ template: '' }) }),
      ),
  ]
  const skills = createSkills({
    kinds: [formatterKind],
    onDiagnostic: () => {},
    plugins: [
      { kind: 'source', id: 'names', setup: () => ({ source: 'user', list: () => loadResult({ commands }) }) },
      budgetFormatter(),
    ],
  })
  try {
    return await enginePort(skills).listing({ contextWindow: 200_000 })
  } finally {
    await skills.close()
  }
}
