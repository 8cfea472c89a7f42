import { afterAll, expect, test } from 'vitest'
import { tempTree } from '@skills/testing'
import { globalOptions } from './commands/first.js'
import { commands } from './commands/index.js'
import { runIn } from '../test/console.js'

/** Names that every JavaScript object inherits. */
const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'] as const
/** Commands that run until they are ended. */
const endless: readonly string[] = ['watch', 'mcp', 'ui', 'worker']

const skill = (name: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${names.map(key => `${key}: ${name}\n`).join('')}metadata:\n  ${name}: ${name}\nallowed-tools: [${name}]\nmodel: ${name}\nrequires: [${name}]\n---\nUse ${name}.\n`
const keyed = (value: unknown): string =>
  `{${names.map(name => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ')}}`
const tree = tempTree({
  'work/.git': { dir: true },
  home: { dir: true },
  ...Object.fromEntries(names.map(name => [`work/.claude/skills/${name}/SKILL.md`, skill(name)])),
  'work/.claude/settings.json': `{"permissions": {"allow": ${JSON.stringify(names)}, "deny": ["constructor(x)"]}, "enabledPlugins": ${keyed(true)}, "hooks": ${keyed([])}}`,
  'work/skills.config.json': `{"overrides": ${keyed('on')}, "rules": {"deny": ${JSON.stringify(names)}}}`,
  'work/skills.json': `{"version": 1, "skills": ${keyed({ source: './constructor' })}}`,
  ...Object.fromEntries(
    names.flatMap(name => [
      [`work/plugins/${name}/.claude-plugin/plugin.json`, `{"name": "${name}", "keywords": ["${name}"]}`],
      [`work/plugins/${name}/skills/${name}/SKILL.md`, skill(name)],
      [`work/plugins/${name}/hooks/hooks.json`, `{"hooks": ${keyed([{ hooks: [{ type: name, command: name }] }])}}`],
      [`work/plugins/${name}/.mcp.json`, `{"mcpServers": ${keyed({ command: name })}}`],
    ]),
  ),
  'work/market/.claude-plugin/marketplace.json': `{"name": "constructor", "owner": {"name": "toString"}, "plugins": [${names.map(name => `{"name": "${name}", "source": "../plugins/${name}"}`).join(', ')}]}`,
})
afterAll(() => tree.dispose())
const at = { cwd: `${tree.path}/work`, home: `${tree.path}/home` }

/** Texts of errors and values that appear if an inherited property is taken for an own one. */
const ofNode =
  /\bis not a (?:function|constructor)|Cannot (?:read|convert|set|assign|use)|not iterable|native code|\bTypeError|\[object |\bundefined\b|\bNaN\b/

async function odd(argv: readonly string[]): Promise<string | undefined> {
  const { code, stdout, stderr } = await runIn(argv, at)
  const said = [`${stdout}${stderr}`].map(text => ofNode.exec(text)).find(Boolean)
  if (said !== undefined && said !== null)
    return `skills ${argv.join(' ')}: …${said.input.slice(Math.max(0, said.index - 100), said.index + 100)}`
  return [0, 1, 2].includes(code) && (code === 0 || stderr !== '' || stdout !== '')
    ? undefined
    : `skills ${argv.join(' ')} ends with ${code}`
}

const rows = commands.filter(({ name }) => !endless.includes(name))

test.each(rows.map(({ name }) => name))('%s takes a name of every prototype for a name', async command => {
  const { args, least, most } = commands.find(({ name }) => name === command) ?? { args: '', least: 0, most: 0 }
  const lines = names.flatMap(name => {
    const given = Array.from({ length: Math.max(least, Math.min(most, 1)) }, () => name)
    return [[...command.split(' '), ...given]]
  })
  const found: unknown[] = []
  for (const line of args === '' ? lines.slice(0, 1) : lines) found.push(await odd(line))
  expect(found.filter(one => one !== undefined)).toEqual([])
})

test.each(rows.map(({ name }) => name))('%s takes a name of every prototype for a value', async command => {
  const { options, least } = commands.find(({ name }) => name === command) ?? { options: [], least: 0 }
  const found: unknown[] = []
  for (const [turn, option] of [...options, ...(command === 'list' ? globalOptions : [])].entries()) {
    const [, flag, value] = /^(--[a-z-]+)(?: <)?(.)?/.exec(option) ?? []
    const name = names[turn % names.length] ?? ''
    if (flag === undefined || flag === '--home' || flag === '--cwd') continue
    found.push(
      await odd([
        ...command.split(' '),
        ...Array.from({ length: least }, () => name),
        flag,
        ...(value === undefined ? [] : [name]),
      ]),
    )
  }
  expect(found.filter(one => one !== undefined)).toEqual([])
})

test.each([
  ['--plugin-dir', 'plugins/constructor'],
  ['--plugin-dir', 'plugins/__proto__'],
  ['--marketplace', 'market'],
  ['--add-dir', 'plugins/toString'],
] as const)('what %s %s brings is listed, audited, linted and explained', async (flag, folder) => {
  const found: unknown[] = []
  for (const command of [
    'list',
    'list --all',
    'audit',
    'lint',
    'compat',
    'listing --costs',
    'explain constructor',
    'search toString',
  ])
    found.push(await odd([...command.split(' '), flag, folder]))
  expect(found.filter(one => one !== undefined)).toEqual([])
})

test('and no prototype has anything that was not there', () => {
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(Object.keys(Function.prototype)).toEqual([])
})
