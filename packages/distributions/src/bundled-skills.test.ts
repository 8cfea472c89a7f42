import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createSkills, type PromptCommand } from '@skills/core'
import { budgetFormatter } from '@skills/formatter-budget'
import { textExpander } from '@skills/expansion/text'
import { lintFiles } from '@skills/inspect'
import { formatterKind } from '@skills/invocation/skill-tool'
import { bundledSource } from '@skills/source-bundled'
import { expand, expanderKind } from '@skills/expansion'
import { fakeHost, tempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { embeddedModule, writtenSkills } from '../test/embed-skills.js'
import { bundledSkills } from './bundled-skills.js'

const written = await writtenSkills()
const never = new AbortController().signal

function engine() {
  const tree = tempTree()
  const host = fakeHost({ home: tree.path, uid: process.getuid?.() })
  const told: string[] = []
  const skills = createSkills({
    host,
    kinds: [expanderKind, formatterKind],
    onDiagnostic: ({ message }) => told.push(message),
    plugins: [bundledSource({ skills: bundledSkills }), textExpander(), budgetFormatter({ budget: 100 })],
  })
  onTestFinished(async () => {
    await skills.close()
    tree.dispose()
  })
  return { skills, host, told }
}

async function commandOf(skills: ReturnType<typeof engine>['skills'], name: string): Promise<PromptCommand> {
  const { command } = (await skills.catalog()).require(name)
  if (command.type !== 'prompt') throw new TypeError(`"${name}" is no prompt.`)
  return command
}

describe('the skills of the standard distribution', () => {
  it('are four, and what is embedded is what their files say', async () => {
    await expect(embeddedModule(written)).toMatchFileSnapshot('embedded-skills.ts')
    expect((await bundledSkills()).map(({ name }) => name)).toEqual([
      'check-skill',
      'explain-skills',
      'make-plugin',
      'write-skill',
    ])
  })

  it('have nothing for lint to find, the rules of the open standard included', async () => {
    const { files, counts } = await lintFiles(
      written.map(({ path }) => path),
      { standard: true },
    )
    expect(
      files.flatMap(({ path, diagnostics }) => diagnostics.map(({ line, message }) => `${path}:${line}: ${message}`)),
    ).toEqual([])
    expect(counts).toMatchObject({ files: 4, errors: 0, warnings: 0, infos: 0 })
  })

  it.each(written)('$name is short, says when to use it, and names each of its files', ({ body, fields, files }) => {
    expect(body.split('\n').length).toBeLessThan(100)
    expect(fields['description']).toMatch(/^[A-Z][a-z]+s .*\. Use when .*\.$/)
    expect(String(fields['description']).length).toBeLessThanOrEqual(250)
    const named = body.match(/`(?:references|scripts|assets)\/[\w./-]+`/g) ?? []
    expect([...new Set(named)].map(path => path.slice(1, -1)).sort()).toEqual(Object.keys(files))
  })

  it.each(written)('$name names commands and options that there are', ({ name, body, files }) => {
    const sources = fileURLToPath(new URL('../../cli/src', import.meta.url))
    const commands = new Set(readdirSync(`${sources}/commands`).map(folder => folder.replaceAll('-', ' ')))
    const told = [
      ...readdirSync(`${sources}/commands`).map(folder => `${sources}/commands/${folder}/command.ts`),
      ...['shared', 'global'].map(what => `${sources}/arguments/${what}-options.ts`),
    ].filter(file => existsSync(file))
    const options = new Set(told.flatMap(file => readFileSync(file, 'utf8').match(/--[a-z-]+/g) ?? []))
    const used = [body, ...Object.values(files)].flatMap(text =>
      Array.from(text.matchAll(/(?:^|[`(])skills ((?:plugin )?[a-z]+)([^`\n#]*)/gm)),
    )
    expect(used.length, name).toBeGreaterThan(0)
    expect(used.filter(([, command = '']) => !commands.has(command)).map(([text]) => text)).toEqual([])
    expect(
      used.flatMap(([, , rest = '']) => rest.match(/--[a-z-]+/g) ?? []).filter(option => !options.has(option)),
    ).toEqual([])
  })

  it.each(written)(
    '$name becomes its own text behind the line that says where its files are',
    async ({ name, body, files }) => {
      const { skills, host, told } = engine()
      const command = await commandOf(skills, name)
      const loaded = await command.load('', { signal: never })
      expect(loaded).toEqual({ template: body })
      const text = await skills
        .use('expander')
        .each(value => value)
        .then(expanders =>
          expand(body, expanders, {
            command,
            host,
            args: '',
            trust: 'trusted',
            signal: never,
            progress: () => {},
            forbids: async () => undefined,
            authorize: async () => ({ behavior: 'deny', message: 'No one may.', decisionReason: { type: 'default' } }),
          }),
        )
      expect(text.text).toBe(`Base directory for this skill: ${command.baseDir}\n\n${body}`)
      expect(command.baseDir).toMatch(new RegExp(`^${host.home}/\\.cache/skills/bundled/[\\da-f]{64}$`))
      for (const [path, content] of Object.entries(files))
        expect(readFileSync(`${command.baseDir}/${path}`, 'utf8')).toBe(content)
      expect(told).toEqual([])
    },
  )

  it('are one line each of a listing, within its budget', async () => {
    const { skills } = engine()
    const { entries } = await skills.catalog()
    const listing = await skills.use('formatter').first((formatter, call) => formatter.format(entries, {}, call))
    expect(listing?.entries.map(({ name }) => name)).toEqual(written.map(({ name }) => name))
    expect([listing?.text.split('\n').length, listing?.usedChars]).toEqual([written.length, 100])
  })
})

it('bundled skills take less room in a listing than is kept for them', async () => {
  const { embeddedSkills } = await import('./embedded-skills.js')
  const size = embeddedSkills.reduce(
    (sum, { name, description }) => sum + name.length + (description ?? '').length + 5,
    0,
  )
  expect(size).toBeLessThan(1200)
})
