import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createSkills, isAbortError, messageOf, processHost, SkillsError, type Skills } from '@skills/core'
import { askPermission, decide, Invoker, Session, type Outcome, type ToolCall } from '@skills/invocation'
import { enginePort, ListingRecord, skillTool, type SkillTool } from '@skills/invocation/skill-tool'
import { tempTree, type TreeEntries } from '@skills/testing'
import { modelText } from '../conformance/row.js'
import type { OnAsk } from '@skills/rules'
import type { MakeDistribution } from '../../src/index.js'
import { defineProvider } from '@skills/core'
import type { Block, RecordedCase, RecordedFile, Seen } from './recorded-case.js'

/** Total length of the rows of the program's own skills, as the budget of a listing counts them. */
const ownRows = 6076

const longest = 1200

/** Returns skills in code that take as much of a listing as the program's own. */
function bundledSkills(): readonly { readonly name: string; readonly description: string; readonly body: string }[] {
  const lengths = Array.from({ length: 6 }, (_, at) => (at < 5 ? 1000 : ownRows - 5 * 1001 - 0))
  return lengths.map((length, at) => ({
    name: `own-${at}`,
    description: 'd'.repeat(Math.min(longest, length - `- own-${at}: `.length)),
    body: 'Own.',
  }))
}

function entryOf(file: RecordedFile): TreeEntries[string] {
  if (typeof file === 'string') return file
  return 'symlink' in file ? { link: file.symlink } : Buffer.from(file.base64, 'base64')
}

/** Makes the files of a pattern that the recording only counts. */
function generated({ id, files, observed }: RecordedCase): TreeEntries {
  const note = files['…']
  if (typeof note !== 'string') return {}
  const count = Number(/^\d+/.exec(note)?.[0])
  const seen = observed as { readonly first_own_row_chars?: number; readonly sample_own?: readonly string[] }
  const row = seen.first_own_row_chars ?? seen.sample_own?.[0]?.length ?? 0
  if (!(count > 0) || row === 0) throw new Error(`The files of ${id} are not known.`)
  const length = row - '- sk000: '.length
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `project/.claude/skills/sk${String(at).padStart(3, '0')}/SKILL.md`,
      `---\ndescription: ${`D${at} `.padEnd(length, 'x')}\n---\nx`,
    ]),
  )
}

/** Window sizes in tokens of the recorded models. */
const windows: Readonly<Record<string, number>> = { 'claude-haiku-4-5': 200_000 }
const window = 1_000_000

interface Ran {
  readonly results: string[]
  readonly texts: string[]
}

/** Commands that the program's host allows a shell without asking: those that only read, and within its folder. */
const reads = /^(echo|ls|cat|pwd|printf -- "---[^>]*)\b(?:[^>;&|$`]|\$(?!\())*$/
const isRead = (command: string, cwd: string): boolean =>
  reads.test(command) && (!/^(?:ls|cat) +\//.test(command) || command.includes(` ${cwd}/`))

/** Files that a prompt names for the host to attach. */
const mentions = (prompt: string): readonly string[] =>
  prompt.startsWith('/') ? [] : [...prompt.matchAll(/(?:^|\s)@([^\s"]+)/g)].map(([, path = '']) => path)

/** Runs one case with a distribution in its own folder. */
export async function replay(recorded: RecordedCase, make: MakeDistribution): Promise<Seen> {
  const { action, files, id } = recorded
  const tree = tempTree({
    'home/.keep': '',
    'project/.keep': '',
    ...(id.includes('no-git') ? {} : { 'project/.git/HEAD': 'ref: refs/heads/main\n' }),
    ...Object.fromEntries(
      Object.entries(files)
        .filter(([path]) => path !== '…')
        .map(([path, file]) => (id === 'D-skill-is-directory' ? [`${path}/x`, ''] : [path, entryOf(file)])),
    ),
    ...generated(recorded),
  })
  const session = '00000000-0000-4000-8000-000000000001'
  const places = {
    '<SKILL_DIR>': skillFolder(files, tree.path),
    '<PLUGIN>': `${tree.path}/plugin`,
    '<PLUGIN2>': `${tree.path}/plugin2`,
    '<PROJECT>': `${tree.path}/project`,
    '<HOME>': `${tree.path}/home`,
    '<SESSION_ID>': session,
    '/etc/claude-code': `${tree.path}/managed`,
    '<ROOT>': tree.path,
  }
  const real = (text: string): string =>
    Object.entries(places).reduce((one, [name, path]) => (path === '' ? one : one.replaceAll(name, path)), text)
  const told: string[] = []
  const host = processHost({
    cwd: `${tree.path}/${action.cwd ?? 'project'}`,
    home: `${tree.path}/home`,
    env: { PATH: process.env['PATH'], HOME: `${tree.path}/home`, ...placedIn(action.env, real) },
    sessionId: session,
  })
  const mode = valueAfter(action.args, '--permission-mode')
  const asked = mode === 'bypassPermissions' ? 'allow' : 'deny'
  const rules = valueAfter(action.args, '--allowedTools')
  const plugins = (action.args ?? []).flatMap((word, at, all) =>
    word === '--plugin-dir' ? [real(all[at + 1] ?? '')] : [],
  )
  const forks: string[] = []
  const script = [...(action.script ?? [])]
  const distribution = make({
    host,
    managed: { dirs: [`${tree.path}/managed`], owner: process.getuid?.() },
    bundled: { skills: bundledSkills() },
    trust: { all: true },
    rules: {
      projectAllows: () => JSON.stringify(files).includes('hasTrustDialogAccepted'),
      ...(rules !== undefined && { allow: [rules] }),
    },
    published: { plugins },
    plugins: [
      defineProvider({
        kind: 'runner',
        id: 'recorded',
        setup: () => ({
          async run({ messages, authorize }) {
            forks.push(
              messages
                .flat()
                .map(block => (block.type === 'text' ? block.text : ''))
                .join(''),
            )
            let text = 'ok'
            for (let blocks = script.shift(); blocks !== undefined; blocks = script.shift()) {
              const calls = blocks.filter(({ type }) => type === 'tool_use')
              for (const { name = '', input = {} } of calls) {
                const command = String(input['command'])
                const { behavior } = await authorize({ tool: name, content: command, input })
                if (behavior === 'allow' || isRead(command, host.cwd)) shell(command, host.cwd, host.env)
              }
              if (calls.length > 0) continue
              text = blocks.map(one => one.text ?? '').join('')
              break
            }
            return { text }
          },
        }),
      }),
    ],
    onDiagnostic: ({ message }) => told.push(message),
  })
  const skills = createSkills(distribution)
  try {
    const opened = Session.open(skills, effortIn(recorded))
    const onAsk: OnAsk = ({ request: { tool, content = '' }, decision: { decisionReason } }) => {
      // A hook that wants a person to decide takes the permission of what only reads away.
      const isReading = tool === 'Bash' && isRead(content, host.cwd) && decisionReason.source !== 'PreToolUse'
      return asked === 'allow' || isReading ? 'allow' : 'deny'
    }
    const invoker = new Invoker(skills, { ...distribution.invoker, onAsk, session: opened })
    const port = enginePort(skills, { ...distribution.port, invoker })
    const tool = await skillTool(port, distribution.tool)
    const context = { contextWindow: windows[action.env?.['ANTHROPIC_MODEL'] ?? ''] ?? window }
    const record = new ListingRecord(skills, opened)
    const rowsOf = async (): Promise<string> =>
      (record.next(await port.listing(context))?.content ?? '')
        .split('\n')
        .filter(row => !/^- (own-|simplify\b|init\b)/.test(row))
        .join('\n')
    // A host attaches what a person names, before it says which skills there are.
    const attached = mentions(action.prompt).map(path => `${host.cwd}/${path}`)
    if (attached.length > 0) {
      await skills.catalog()
      skills.emit('file:touched', { paths: attached })
    }
    const listing = await rowsOf()
    const ran: Ran = { results: [], texts: [] }
    const { prompt } = action
    try {
      const outcomes = await invoker.run(prompt)
      if (outcomes === undefined) {
        if (action.script === undefined) ran.texts.push(prompt)
      } else
        for (const outcome of outcomes) {
          opened.take(outcome)
          ran.texts.push(...textsFor(outcome))
        }
    } catch (error) {
      const effect = effectOf(error)
      ran.texts.push(effect, ...(effect === '<unknown command>' ? [prompt] : []))
    }
    const agent: Agent = { skills, tool, session: opened, cwd: host.cwd, env: host.env, onAsk, real }
    for (let blocks = script.shift(); blocks !== undefined; blocks = script.shift()) {
      if (blocks.every(({ type }) => type === 'text')) break
      const texts: string[] = []
      for (const block of blocks) {
        if (block.type !== 'tool_use') continue
        const { result, given } = await call(agent, block)
        ran.results.push(result)
        texts.push(...given)
      }
      ran.texts.push(...texts)
      const news = await rowsOf()
      if (news !== '') ran.texts.push(`The following skills are available for use with the Skill tool:\n\n${news}`)
    }
    if (action.script !== undefined)
      await decide(skills, 'Stop', { message: 'ok', stopHookActive: false, sessionId: opened.key })
    const rows = listing === '' ? [] : listing.split('\n')
    return {
      listing: shown(listing),
      counts: [rows.filter(row => row.includes(': ')).length, rows.filter(row => !row.includes(': ')).length],
      texts: ran.texts.map(shown),
      results: ran.results.map(shown),
      forks: forks.map(shown),
      created: Object.fromEntries(
        ['a.txt', 'b.txt', 'dd'].map(name => [name, existsSync(`${tree.path}/project/${name}`)]),
      ),
      hookLog: existsSync(`${tree.path}/project/hook.log`)
        ? shown(readFileSync(`${tree.path}/project/hook.log`, 'utf8'))
        : null,
    }
  } finally {
    await skills.close()
    tree.dispose()
  }

  function shown(text: string): string {
    return Object.entries(places).reduce(
      (one, [name, path]) =>
        path === '' || (name === '<SKILL_DIR>' && recorded.section !== 'A' && recorded.section !== 'D')
          ? one
          : one.replaceAll(path, name),
      text,
    )
  }
}

interface Agent {
  readonly skills: Skills
  readonly tool: SkillTool
  readonly session: Session
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onAsk: OnAsk
  readonly real: (text: string) => string
}

interface Called {
  readonly result: string
  readonly given: readonly string[]
}

let calls = 0

/** Makes one call of a model, as the agent around the library does. */
async function call(agent: Agent, { name = '', input = {} }: Block): Promise<Called> {
  const { skills, session, onAsk } = agent
  calls += 1
  const toolUseId = `toolu_${calls}`
  const about: ToolCall = {
    tool: name,
    content: String(input['command'] ?? input['file_path'] ?? ''),
    input,
    toolUseId,
  }
  if (name === 'Skill') return skillCall(agent, input, toolUseId)
  const { behavior, decisionReason, verdict } = await askPermission(
    skills,
    { ...about, content: undefined, sessionId: session.key },
    { onAsk: name === 'Read' ? () => 'allow' : onAsk, context: session.context },
  )
  if (behavior !== 'allow')
    return {
      result:
        decisionReason.type === 'host' || decisionReason.type === 'default' || verdict?.ask === true
          ? '<asks>'
          : '<denied>',
      given: [],
    }
  const result = ownTool(agent, name, input)
  await decide(skills, 'PostToolUse', {
    toolName: name,
    toolInput: input,
    toolUseId,
    toolResponse: result,
    sessionId: session.key,
  })
  return { result, given: [] }
}

function ownTool({ skills, cwd, env, real }: Agent, name: string, input: Readonly<Record<string, unknown>>): string {
  if (name === 'Bash') return shell(real(String(input['command'])), cwd, env)
  const path = real(String(input['file_path']))
  skills.emit('file:touched', { paths: [path] })
  if (name === 'Write') return spawnSync('touch', [path]).status === 0 ? '<written>' : '<not written>'
  return existsSync(path) ? '<read>' : '<not there>'
}

function shell(command: string, cwd: string, env: Readonly<Record<string, string | undefined>>): string {
  const { stdout } = spawnSync('bash', ['-c', command], { cwd, env: { ...env }, encoding: 'utf8' })
  return stdout.trim() === '' ? '(Bash completed with no output)' : stdout.trimEnd()
}

async function skillCall(
  { skills, tool, session }: Agent,
  input: Readonly<Record<string, unknown>>,
  toolUseId: string,
): Promise<Called> {
  const refused = await tool.validateInput(input)
  if (!refused.result) {
    const meanings = [
      '',
      '<invalid input>',
      '<unknown skill>',
      '<unknown skill>',
      '<not for models>',
      '<not for models>',
    ]
    return { result: meanings[refused.errorCode] ?? '', given: [] }
  }
  const verdict = await decide(skills, 'PreToolUse', {
    toolName: 'Skill',
    toolInput: input,
    toolUseId,
    sessionId: session.key,
  })
  if (verdict.block === true) return { result: '<denied>', given: [] }
  const { behavior } = await tool.checkPermissions(input, { toolUseId, sessionId: session.key })
  const mayAsk = session.id === '' // a person is never there
  if (behavior === 'deny') return { result: '<denied>', given: [] }
  if (behavior === 'ask' && !mayAsk) return { result: '<asks>', given: [] }
  try {
    const outcome = await tool.call(input, { toolUseId, sessionId: session.key })
    session.take(outcome)
    const { content } = tool.toToolResult({ outcome }, toolUseId)
    return { result: content, given: textsFor(outcome) }
  } catch (error) {
    return { result: effectOf(error), given: [] }
  }
}

function textsFor(outcome: Outcome): readonly string[] {
  const text = modelText(outcome)
  if (outcome.data['isRepeated'] === true) return ['<has it already>']
  return outcome.data.status === 'forked' ? [] : [text]
}

/** Returns the meaning of a failure in the words of `meaningOf`. */
function effectOf(error: unknown): string {
  if (!SkillsError.is(error) || isAbortError(error)) throw error
  const { code } = error
  if (code === 'E_UNKNOWN_NAME') return '<unknown command>'
  if (code === 'E_NOT_INVOCABLE') return '<not for people>'
  if (code === 'E_SHELL')
    return /not run|not allowed|no rule|denied|asked/.test(messageOf(error))
      ? '<embedded command not allowed>'
      : '<embedded command failed>'
  if (code === 'E_DENIED') return '<denied>'
  return `<${code}: ${messageOf(error)}>`
}

/** Returns the effort that the recorded model was asked to make, which a host says. */
function effortIn({ observed }: RecordedCase): { readonly effort?: 'low' | 'medium' | 'high' } {
  const { effort } = typeof observed === 'object' && observed !== null ? observed : {}
  return effort === 'low' || effort === 'medium' || effort === 'high' ? { effort } : {}
}

function placedIn(
  env: RecordedCase['action']['env'] = {},
  real: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, real(value)]))
}

function valueAfter(args: readonly string[] = [], option: string): string | undefined {
  return args.includes(option) ? args[args.indexOf(option) + 1] : undefined
}

/** Returns the folder of a case's main skill. */
function skillFolder(files: RecordedCase['files'], root: string): string {
  const [first] = Object.keys(files).filter(path => path.endsWith('/SKILL.md'))
  return first === undefined ? '' : `${root}/${first.slice(0, -'/SKILL.md'.length)}`
}
