import { spawnSync } from 'node:child_process'
import { defineProvider, processHost, SkillsError, createSkills, messageOf, type Skills } from '@skills/core'
import {
  Invoker,
  Session,
  askPermission,
  decide,
  hookReminder,
  type HookPayload,
  type HookVerdict,
  type RunRequest,
  type RunResult,
  type Outcome,
  type SkillHookEvent,
} from '@skills/invocation'
import { isOffered } from '@skills/invocation/internal'
import { enginePort, ListingRecord, skillTool, type SkillTool } from '@skills/invocation/skill-tool'
import { tempTree, type TempTree } from '@skills/testing'
import { claudeCode } from '../../../../src/agents/claude-code/index.js'
import { modelText } from '../../../conformance/row.js'
import {
  forkHead,
  joinedParts,
  meaningOf,
  namesIn,
  ownRowsIn,
  plainOutput,
  restoredAs,
  rowsIn,
  sortedLines,
  withoutRuns,
  wordsIn,
} from './answers.mjs'
import type { Batch, Block, Step } from '../areas.mjs'

/** Times that a hook of Stop may keep the program's agent going. */
const mostContinued = 8

/** Tokens of the model's window that the program reports. */
const window = 1_000_000
/** Tokens of the window of the model that a batch names. */
const smallWindow = 200_000

/** Words of a command that its host can tell: without variables but those that are named here, and without braces. */
const words =
  /^(?:[^>;&|$`\\{"']|\\\n|\$(?=HOME\b)|"(?:[^"\\$`]|\\.|\$(?=HOME\b)|\$\{SKILL_ARG_\d+\})*"|'[^']*'|\$\(\([\d+]*\)\))*$/
const readers = /^(?:echo|ls(?! \/)|cat|pwd|grep|head|wc)(?:\s|$)/

/** True if the program's host allows a script without asking: it only reads. */
const reads = (script: string): boolean =>
  script
    .split(/&&|\|\||[;|]|(?<!\\)\n/)
    .map(part => part.replace(/>\s*\/dev\/null/, '').trim())
    .every(part => /^(?:#.*)?$/.test(part) || (readers.test(part) && words.test(part)))

/** Returns what our distribution answers to each step of a batch, in the form of `answers.mjs`. */
export async function ourAnswers(batch: Batch): Promise<readonly string[]> {
  const { cwd = 'project', env = {}, files } = batch
  const tree = tempTree({ 'home/.keep': '', 'project/.git/HEAD': 'ref: refs/heads/main\n', [`${cwd}/.keep`]: '' })
  tree.write(
    Object.fromEntries(
      Object.entries(files).map(([path, file]) => [
        path,
        typeof file === 'string' ? file.replaceAll('<ROOT>', tree.path) : file,
      ]),
    ),
  )
  const conversation = new Conversation(tree, { ...batch, cwd, env })
  try {
    const answers: string[] = []
    const steps = JSON.parse(JSON.stringify(batch.steps).replaceAll('<ROOT>', tree.path)) as readonly Step[]
    for (const step of steps)
      answers.push(...(await conversation.answers(step)).map(answer => answer.replaceAll(tree.path, '<ROOT>')))
    return answers
  } finally {
    await conversation.close()
    tree.dispose()
  }
}

class Conversation {
  readonly #skills: Skills
  readonly #session: Session
  readonly #invoker: Invoker
  readonly #tool: Promise<SkillTool>
  readonly #listing: () => Promise<string>
  /** Results that are sent with the next prompt, because a hook ended the agent. */
  readonly #late: string[] = []
  /** Answers of the model of the next fork, and what was seen of it. */
  #forkTurns: (readonly Block[])[] = []
  #forked: string[] | undefined
  /** Skills that the model is given again after the conversation was shortened. */
  #restored: Parameters<typeof restoredAs>[0] = []
  #count = 0
  #isTold = false

  constructor(tree: TempTree, { cwd = '', env = {}, args = [] }: Batch) {
    const host = processHost({
      cwd: `${tree.path}/${cwd}`,
      home: `${tree.path}/home`,
      env: {
        PATH: process.env['PATH'],
        HOME: `${tree.path}/home`,
        ...Object.fromEntries(
          Object.entries(env).map(([name, value]) => [name, value.replaceAll('<ROOT>', tree.path)]),
        ),
      },
      sessionId: '00000000-0000-4000-8000-000000000001',
    })
    const plugins = args.flatMap((word, at) =>
      word === '--plugin-dir' ? [(args[at + 1] ?? '').replaceAll('<ROOT>', tree.path)] : [],
    )
    const distribution = claudeCode({
      host,
      managed: { dirs: [`${tree.path}/managed`], owner: process.getuid?.() },
      bundled: false,
      trust: { all: true },
      rules: {},
      published: { plugins },
      plugins: [
        defineProvider({ kind: 'runner', id: 'scripted', setup: () => ({ run: request => this.#fork(request) }) }),
      ],
      onDiagnostic: () => undefined,
    })
    this.#skills = createSkills(distribution)
    this.#session = Session.open(this.#skills)
    const onAsk = ({ request: { tool, content = '' } }: { request: { tool: string; content?: string | undefined } }) =>
      tool === 'Bash' && reads(content) ? 'allow' : 'deny'
    this.#invoker = new Invoker(this.#skills, { ...distribution.invoker, onAsk, session: this.#session })
    const port = enginePort(this.#skills, { ...distribution.port, invoker: this.#invoker })
    this.#tool = skillTool(port, distribution.tool)
    const record = new ListingRecord(this.#skills, this.#session)
    const contextWindow = args.includes('--model') ? smallWindow : window
    const own = distribution.ofProgram?.own
    this.#listing = async () => record.next(await port.listing({ contextWindow, own }))?.content ?? ''
  }

  close(): Promise<void> {
    return this.#skills.close()
  }

  async answers(step: Step): Promise<readonly string[]> {
    if (step.cut === true) return [withoutRuns(ownRowsIn(await this.#listing()))]
    if (step.restored === true) return [restoredAs(this.#restored, namesIn(await this.#listing()))]
    if (step.silent === true) {
      await this.#unasked(step)
      return []
    }
    if (step.rows !== undefined) return rowsIn(await this.#listing(), step.rows)
    if (step.hooked === true) return [await this.#calls(step)]
    return [step.order === undefined ? await this.#answer(step) : ownRowsIn(await this.#listing())]
  }

  /** Takes a step that is no case. `/compact` shortens the conversation. */
  async #unasked(step: Step): Promise<void> {
    if (!step.prompt.startsWith('/compact')) {
      await this.#answer(step)
      return
    }
    this.#restored = this.#session.invoked
      .restore()
      .map(({ name, content, cutFrom }) => ({ name, content, isCut: cutFrom !== undefined }))
    this.#skills.emit('compact:after', {})
  }

  /** Makes the calls of a step as an agent does that asks hooks, and says what became of each. */
  async #callsOf({ prompt, turns = [] }: Step): Promise<readonly string[]> {
    const parts: string[] = []
    const typed = await this.#asked('UserPromptSubmit', { prompt }, parts)
    if (typed.block === true) return [wordsIn('<blocked>', typed.reason ?? '')]
    parts.unshift(...this.#late.splice(0))
    for (const outcome of (await this.#invoker.run(prompt)) ?? []) parts.push(this.#told(outcome))
    for (const blocks of turns)
      for (const block of blocks) {
        const result = await this.#hookedCall(block, parts)
        if (result === undefined) return parts
        parts.push(result)
      }
    for (let continued = 0; continued <= mostContinued; continued += 1) {
      const { block, reason = '' } = await this.#asked(
        'Stop',
        { message: 'Done.', stopHookActive: continued > 0 },
        parts,
      )
      if (block !== true || continued === mostContinued) break
      parts.push(wordsIn('', reason))
    }
    return parts
  }

  /** Plays the model of a fork. */
  async #fork({ messages, model, tools, authorize, used, onStop }: RunRequest): Promise<RunResult> {
    const body = messages
      .flat()
      .map(block => (block.type === 'text' ? block.text : ''))
      .join('')
      .replace(/^Base directory .*\n\n/, '')
    const parts = (this.#forked = [forkHead(model, tool => isOffered(tool, tools)), JSON.stringify(body)])
    let text = 'Done.'
    for (let blocks = this.#forkTurns.shift(); blocks !== undefined; blocks = this.#forkTurns.shift()) {
      text = blocks.map(block => block.text ?? '').join('')
      for (const { type, name = '', input = {} } of blocks) {
        if (type !== 'tool_use') continue
        const command = String(input['command'] ?? '')
        const call = { tool: name, content: command || String(input['file_path'] ?? ''), input, toolUseId: 'c' }
        const decision = await authorize(call)
        if (decision.decisionReason.source === 'PreToolUse') {
          parts.push(wordsIn('<blocked>', decision.message))
          continue
        }
        const isReading = name === 'Read' || reads(command)
        const isFree = isReading && decision.decisionReason.type !== 'rule'
        if (decision.behavior !== 'allow' && !isFree)
          parts.push(decision.decisionReason.type === 'rule' ? '<denied>' : '<asks>')
        else {
          const result = name === 'Read' ? '<read>' : this.#shell(command)
          parts.push(result, wordsIn('', (await used(call, result)) ?? ''))
        }
      }
    }
    for (let continued = 0; continued < mostContinued; continued += 1) {
      const next = await onStop?.(text)
      if (next === undefined) break
      parts.push(wordsIn('', next.map(block => (block.type === 'text' ? block.text : '')).join('')))
      text = 'Done.'
    }
    return { text }
  }

  async #calls(step: Step): Promise<string> {
    this.#forkTurns = [...(step.fork ?? [])]
    this.#forked = undefined
    const answer = await this.#callsIn(step)
    const forked: readonly string[] | undefined = this.#forked
    return forked === undefined ? answer : `${joinedParts(forked)} => ${JSON.stringify(answer)}`
  }

  async #callsIn(step: Step): Promise<string> {
    return joinedParts(await this.#callsOf(step))
  }

  async #asked(event: SkillHookEvent, payload: HookPayload, parts: string[]): Promise<HookVerdict> {
    const verdict = await decide(this.#skills, event, { ...payload, sessionId: this.#session.key })
    parts.push(wordsIn('', hookReminder(event, verdict) ?? ''))
    return verdict
  }

  /** Returns what became of a call, or undefined if a hook ended the agent. */
  async #hookedCall({ name = '', input = {} }: Block, parts: string[]): Promise<string | undefined> {
    this.#count += 1
    const about = { toolName: name, toolInput: input, toolUseId: `toolu_${this.#count}` }
    if (name === 'Skill') {
      const outcome = await (await this.#tool).call(input, { toolUseId: about.toolUseId, sessionId: this.#session.key })
      parts.push(outcome.data['status'] === 'forked' ? '' : '<skill>', this.#told(outcome))
      return (await this.#asked('PostToolUse', about, parts)).stop === true ? undefined : ''
    }
    const command = String(input['command'] ?? '')
    const { behavior, verdict, message } = await askPermission(
      this.#skills,
      { tool: name, input, toolUseId: about.toolUseId, sessionId: this.#session.key },
      {
        onAsk: ({ decision }) =>
          // A hook that wants a person to decide takes the permission of what only reads away.
          decision.decisionReason.source !== 'PreToolUse' && (name === 'Read' || reads(command)) ? 'allow' : 'deny',
        context: this.#session.context,
      },
    )
    if (verdict?.stop === true) return undefined
    if (behavior !== 'allow') return wordsIn(verdict?.ask === true ? '<asks>' : '<blocked>', verdict?.reason ?? message)
    const result = name === 'Read' ? '<read>' : this.#shell(command)
    const told = [wordsIn('', (verdict && hookReminder('PreToolUse', verdict)) ?? '')]
    const after = await this.#asked('PostToolUse', { ...about, toolResponse: result }, told)
    const said = [result, ...told].filter(part => part !== '')
    if (after.stop === true) {
      // The result is sent with the next prompt.
      this.#late.push(...said, wordsIn('', after.reason ?? ''))
      return undefined
    }
    parts.push(...said)
    return ''
  }

  #shell(command: string): string {
    const { cwd, env } = this.#skills.host
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { cwd, env: { ...env }, encoding: 'utf8' })
    return /No such file/.test(stderr) ? '<no log>' : sortedLines(stdout.trimEnd())
  }

  async #answer({ prompt, turns = [] }: Step): Promise<string> {
    // What a model is told before the first prompt is no news.
    if (!this.#isTold) await this.#listing()
    this.#isTold = true
    const parts: string[] = []
    try {
      const outcomes = await this.#invoker.run(prompt)
      for (const outcome of outcomes ?? []) parts.push(this.#taken(outcome))
      if (outcomes === undefined && turns.length === 0) parts.push(prompt)
    } catch (error) {
      parts.push(effectOf(error))
    }
    for (const blocks of turns) {
      for (const block of blocks) if (block.type === 'tool_use') parts.push(...(await this.#call(block)))
      const news = await this.#listing()
      if (news !== '') parts.push(newsOf(news))
    }
    return parts.filter(part => part !== '').join('\u241E')
  }

  #told(outcome: Outcome): string {
    const text = this.#taken(outcome).trim()
    return outcome.data['status'] === 'forked' ? String(outcome.data['result']) : text === '' ? '' : 'HB'
  }

  #taken(outcome: Outcome): string {
    this.#session.take(outcome)
    if (outcome.data['isRepeated'] === true) return '<has it already>'
    return plainOutput(modelText(outcome).replace(/^Base directory for this skill: .*\n\n/, ''))
  }

  async #call({ name = '', input = {} }: Block): Promise<readonly string[]> {
    this.#count += 1
    const toolUseId = `toolu_${this.#count}`
    const sessionId = this.#session.key
    if (name !== 'Skill') return [await this.#ownTool(name, input, toolUseId)]
    const tool = await this.#tool
    const refused = await tool.validateInput(input)
    if (!refused.result)
      return [
        ['', '<invalid>', '<unknown>', '<unknown>', '<not for models>', '<not for models>'][refused.errorCode] ?? '',
      ]
    const { behavior } = await tool.checkPermissions(input, { toolUseId, sessionId })
    if (behavior !== 'allow') return [behavior === 'deny' ? '<denied>' : '<asks>']
    try {
      const outcome = await tool.call(input, { toolUseId, sessionId })
      const { content } = tool.toToolResult({ outcome }, toolUseId)
      const text = this.#taken(outcome)
      return content.startsWith('Launching skill: ') ? [text] : [content]
    } catch (error) {
      return [effectOf(error)]
    }
  }

  async #ownTool(tool: string, input: Readonly<Record<string, unknown>>, toolUseId: string): Promise<string> {
    const content = String(input['command'] ?? input['file_path'] ?? '')
    const { behavior } = await askPermission(
      this.#skills,
      { tool, content, input, toolUseId, sessionId: this.#session.key },
      { onAsk: () => (tool === 'Read' ? 'allow' : 'deny'), context: this.#session.context },
    )
    if (behavior !== 'allow') return '<asks>'
    if (tool === 'Read') this.#skills.emit('file:touched', { paths: [content] })
    await decide(this.#skills, 'PostToolUse', {
      toolName: tool,
      toolInput: input,
      toolUseId,
      toolResponse: '',
      sessionId: this.#session.key,
    })
    return tool === 'Read' ? '' : '<ran>'
  }
}

/** Returns the rows of news, and the names that are no longer available. */
function newsOf(news: string): string {
  const gone = /No longer available:[^]*$/.exec(news)?.[0] ?? ''
  return [ownRowsIn(news.slice(0, news.length - gone.length)), gone].filter(part => part !== '').join('\n')
}

function effectOf(error: unknown): string {
  if (!SkillsError.is(error)) throw error
  switch (error.code) {
    case 'E_UNKNOWN_NAME':
    // The program knows no such name, and says the closest one.
    case 'E_AMBIGUOUS_NAME':
      return '<unknown>'
    case 'E_NOT_INVOCABLE':
      return '<not for people>'
    case 'E_DENIED':
      return '<denied>'
    case 'E_SHELL':
      return /not run|not allowed|no rule|denied|asked/.test(messageOf(error))
        ? '<command not allowed>'
        : '<command failed>'
    default:
      return meaningOf(`<${error.code}: ${messageOf(error)}>`)
  }
}
