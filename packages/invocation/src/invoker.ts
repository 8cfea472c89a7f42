import * as s from '@skills/core/schema'
import { mayModelInvoke, mayUserInvoke, SkillsError, withDeadline } from '@skills/core'
import { currentEntry, isChangedSince, isNamedExactly, noticeChange, type Found } from './current-entry.js'
import { Departure } from './departure.js'
import { Decisions } from './decisions.js'
import { OutgoingPaths } from './outgoing-paths.js'
import type { Decided, OnUntrusted, Question } from './decision.js'
import { parseSlash, type SlashRules } from './slash.js'
import { Session } from './session/session.js'
import type { InSession } from './session/in-session.js'
import { traced, type WorkFacts } from './tracer.js'
import type {
  Catalog,
  CatalogEntry,
  Command,
  Context,
  ErrorCode,
  PromptBody,
  PromptCommand,
  Skills,
} from '@skills/core'
import type { InvocationEvent } from './events.js'
import type { Invocation, Outcome } from './executor.js'
import type { Caller, OnAsk, PermissionDecision } from '@skills/rules'

export interface InvokeRequest
  extends
    Partial<Pick<Invocation, 'args' | 'agentId' | 'toolUseId' | 'depth' | 'tools' | 'run' | 'idempotencyKey'>>,
    InSession {
  /** Name, as {@link Catalog.lookup} takes it. White space around it and a leading `/` are dropped. */
  readonly name: string
  readonly caller: Caller
  /** True if the model wrote a `/` before the name and `name` no longer has it. */
  readonly slashPrefix?: boolean | undefined
  /**
   * Entry to invoke instead of one of the catalog: of a remote provider, or of a run that brings its text. The catalog
   * is not asked, and the invocation is allowed unless a rule denies it.
   */
  readonly remote?: CatalogEntry | undefined
  /**
   * Asked instead of the invoker's own `onAsk`, by a host that sends questions back to the sender of this call. A yes
   * counts for this call only: the trust provider does not save it.
   */
  readonly onAsk?: OnAsk | undefined
  readonly signal?: AbortSignal | undefined
}

const invokerOptions = s.options('new Invoker()', {
  /** Session of invocations that name no other one. Default: the session whose fork invokes, else the engine's own. */
  session: s.typed<Session>('a session'),
  /** Rules for splitting a line that a person typed into commands. */
  slash: s.typed<SlashRules>('an object'),
  /**
   * Treatment of a line whose command is unknown, or not for people to invoke. `error` (default): throws; `chat`: the
   * line is not a command, and the host sends it to the model unchanged.
   */
  unknownSlash: s.oneOf('error', 'chat'),
  /**
   * Matching of names. `any` (default): letters of another case count if only one command fits; `exact`: they do not.
   */
  letters: s.oneOf('any', 'exact'),
  /** Writes the message for an unknown name. Default: one that lists the closest names. */
  unknownText: s.fn<(name: string) => string>(),
  /**
   * Place where a skill runs that a person invokes. `own` (default): as the skill says; `inline`: always in the
   * conversation.
   */
  userContext: s.oneOf('own', 'inline'),
  /** Asked when no rule decides. Without it, the call is denied. */
  onAsk: s.fn<OnAsk>(),
  /** Asked when a person typed the name of a skill in an untrusted folder. Without it, the skill is denied. */
  onUntrusted: s.fn<OnUntrusted>(),
  /**
   * Effect of typing the name of a trusted skill. `consent` (default): allows the skill and the commands that it
   * embeds; `skill`: allows the skill alone; `asks`: the person is asked anyway.
   */
  typing: s.oneOf('consent', 'skill', 'asks'),
})

export interface InvokerOptions extends s.OptionsOf<typeof invokerOptions> {}

/** Request with its defaults filled in. */
type Begun = InvokeRequest &
  Pick<Invocation, 'args' | 'depth'> & { readonly session: Session; readonly signal: AbortSignal }

/** Permission for an invocation. */
interface Permit extends Pick<Decided, 'trust' | 'approved'> {
  /** True if a person was asked. The file may have changed while they decided. */
  readonly wasAsked: boolean
}

/** Most forks around an invocation. */
const deepest = 8

/**
 * Runs invocations of people and models: look-up, permission, body, executor. See
 * docs/reference/invocation.md, "Invocation".
 */
export class Invoker {
  readonly #skills: Skills
  readonly #decisions: Decisions
  readonly #options: InvokerOptions
  readonly #paths: OutgoingPaths

  constructor(skills: Skills, given?: InvokerOptions) {
    const options = invokerOptions.read(given)
    this.#skills = skills
    this.#decisions = new Decisions(skills, options)
    this.#options = options
    this.#paths = new OutgoingPaths(skills.host)
  }

  /**
   * Runs each command of a line that a person typed, one after the other. Returns undefined if the line is not a
   * command. Rejects as {@link Invoker.invoke} does.
   */
  async run(
    line: string,
    request: Omit<InvokeRequest, 'name' | 'args' | 'caller'> = {},
  ): Promise<readonly Outcome[] | undefined> {
    const { slash, unknownSlash } = this.#options
    const [typed] = parseSlash(line, () => false, slash)
    // Only the first word is asked for: others may be arguments, such as paths, which no server has to know.
    const names = typed === undefined || (slash?.leavesPaths === true && !isPlain(typed.name)) ? [] : [typed.name]
    const catalog = await this.#skills.catalog({ signal: request.signal, names })
    const calls = parseSlash(line, name => catalog.get(name) !== undefined, slash)
    const isFor = (name: string): boolean => {
      const entry = catalog.lookup(name)
      return entry !== undefined && mayInvoke(entry, 'user')
    }
    if (unknownSlash === 'chat' && !calls.every(({ name }) => isFor(name))) return undefined
    const [{ name: first = '' } = {}] = calls
    if (slash?.leavesPaths === true && !isPlain(first) && !this.#isKnown(first, catalog)) return undefined
    const outcomes: Outcome[] = []
    for (const call of calls) outcomes.push(await this.invoke({ ...request, ...call, caller: 'user' }))
    return calls.length === 0 ? undefined : outcomes
  }

  /**
   * Runs one invocation. Rejects with `E_UNKNOWN_NAME`, `E_AMBIGUOUS_NAME`, `E_NOT_INVOCABLE`, `E_ALREADY_RUNNING`,
   * `E_TOO_DEEP`, `E_NO_PERMISSION`, `E_DENIED`, `E_NO_RENDERER`, `E_MISSING_PROVIDER`, an `AbortError`, and the errors
   * of loading and executing.
   */
  async invoke(request: InvokeRequest): Promise<Outcome> {
    const skills = this.#skills
    const { caller, signal, args = '', agentId, depth = 0, run } = request
    const found: Found =
      request.remote === undefined ? await this.#find(plainName(request.name), signal) : { entry: request.remote }
    const { entry } = found
    const { name } = entry
    if (!mayInvoke(entry, caller))
      fail('E_NOT_INVOCABLE', `A ${caller} may not invoke "${name}".`, 'See why with "explain".')
    // A skill is not started again inside itself.
    const session = this.#sessionOf(request)
    const key = `${run ?? agentId ?? ''}\0${name}`
    if (session.running.has(key))
      fail(
        'E_ALREADY_RUNNING',
        `"${name}" is already running, and a skill cannot start itself.`,
        'Wait until that run ends.',
      )
    if (depth > deepest)
      fail(
        'E_TOO_DEEP',
        `"${name}" would be nested ${depth} forks deep; the limit is ${deepest}.`,
        'Call the skill from an outer skill.',
      )
    session.running.add(key)
    const told = this.#eventOf(entry, { ...request, args, sessionId: session.key })
    const departure = new Departure(skills.host.clock)
    skills.emit('invocation:start', told)
    try {
      const outcome = await traced(
        skills.use('tracer'),
        'invoke_skill',
        name,
        () => factsOf(entry, { ...request, args, session: session.id }),
        () =>
          withDeadline(
            inner =>
              this.#run(found, { ...request, args, depth, session, sessionId: session.key, signal: inner }, departure),
            { signals: [signal, skills.signal] },
          ),
      )
      session.remember(outcome, entry, agentId, args)
      skills.emit('invocation:end', { ...told, outcome })
      return outcome
    } catch (error) {
      // Processes of an aborted invocation may still be ending. They belong to it, so its end waits for them.
      await departure.left()
      skills.emit('invocation:error', { ...told, error })
      throw error
    } finally {
      session.running.delete(key)
    }
  }

  #sessionOf({ sessionId, agentId }: InvokeRequest): Session {
    const { session } = this.#options
    return session !== undefined && sessionId === undefined ? session : Session.of(this.#skills, { sessionId, agentId })
  }

  /** Decides by the rules, without asking anyone. Throws `E_NO_PERMISSION` without a permission provider. */
  decide(question: Question, signal?: AbortSignal): Promise<Decided> {
    return this.#decisions.decide(question, signal)
  }

  /**
   * Decides as {@link decide}, for callers that then ask a person: denies if the trust provider would not save a yes.
   */
  decideBeforeAsking(question: Question, signal?: AbortSignal): Promise<Decided> {
    return this.#decisions.decideBeforeAsking(question, signal)
  }

  /**
   * Returns the reason of the first gate that forbids an action for a command, such as a policy; undefined if none
   * does. A gate that fails forbids.
   */
  forbids(action: 'shell', command: Command, signal: AbortSignal): Promise<string | undefined> {
    return this.#decisions.forbids(action, command, signal)
  }

  #isKnown(name: string, catalog: Catalog): boolean {
    const entry = catalog.lookup(name)
    return entry !== undefined && (this.#options.letters !== 'exact' || isNamedExactly(entry, name))
  }

  async #find(name: string, signal: AbortSignal | undefined): Promise<Found> {
    const { unknownText, letters } = this.#options
    if (unknownText === undefined && letters !== 'exact') return currentEntry(this.#skills, name, signal)
    const entry = (await this.#skills.catalog({ signal, names: [name] })).lookup(name)
    const isOther = letters === 'exact' && entry !== undefined && !isNamedExactly(entry, name)
    if (unknownText !== undefined && (entry === undefined || isOther))
      throw new SkillsError('E_UNKNOWN_NAME', unknownText(name))
    if (isOther) fail('E_UNKNOWN_NAME', `There is no command named "${name}".`, `Did you mean "${entry.name}"?`)
    return currentEntry(this.#skills, name, signal)
  }

  async #run(found: Found, request: Begun, departure: Departure): Promise<Outcome> {
    const { signal, args } = request
    const { entry } = found
    const { command, name } = entry
    if (command.type !== 'prompt') return this.#runHere(command, args, signal)
    const permit = await this.#permit(entry, request)
    const { trust, approved } = permit
    const executors = this.#skills.use('executor')
    const own = this.#contextOf(command, request.caller)
    // A run is a fork: the fork compares its text with the digest that was permitted.
    const context = request.run !== undefined && own === 'inline' ? 'fork' : own
    if (!executors.ids.includes(context))
      fail(
        'E_MISSING_PROVIDER',
        `"${name}" runs as ${context}, and no executor for ${context} is registered.`,
        'Register that executor as a plugin.',
      )
    const body = await this.#bodyOf(found, command, permit, request)
    const [answer] = await executors.each(
      (executor, call) =>
        departure.of(
          executor.execute(
            this.#invocation({ entry, command, body, trust, approved }, { ...request, signal: call.signal }),
            call,
          ),
        ),
      { signal, only: [context] },
    )
    return (
      answer?.value ??
      fail('E_PROVIDER_FAILED', `The executor of "${name}" returned nothing.`, 'Look at the diagnostics.')
    )
  }

  /** Returns the text of a permitted command. Throws if its file was changed while a person was asked about it. */
  async #bodyOf(
    { entry: { name }, failure }: Found,
    command: PromptCommand,
    { wasAsked }: Permit,
    { args, signal, remote }: Begun,
  ): Promise<PromptBody> {
    if (failure !== undefined) throw failure.error
    const body = await command.load(args, { signal })
    if (remote === undefined && wasAsked && command.isSnapshot === true) await noticeChange(this.#skills, name, signal)
    const catalog = await this.#skills.catalog({ signal })
    this.#paths.learn(catalog)
    if (remote === undefined && isChangedSince(command, name, catalog)) {
      fail(
        'E_FILE_CHANGED',
        `"${name}" was not run: its file changed while a person was being asked.`,
        'Look at the file, and invoke the skill again.',
      )
    }
    return body
  }

  #contextOf(command: Command, caller: Caller): Context {
    return command.type !== 'prompt' || (caller === 'user' && this.#options.userContext === 'inline')
      ? 'inline'
      : command.context
  }

  /** Returns the fields that every event of an invocation has. */
  #eventOf(
    entry: CatalogEntry,
    {
      name,
      args,
      caller,
      agentId,
      sessionId,
      slashPrefix = name.trimStart().startsWith('/'),
    }: InvokeRequest & Pick<Invocation, 'args'>,
  ): InvocationEvent {
    const { command } = entry
    const isOwn = command.source === 'bundled' || command.source === 'builtin'
    return {
      commandName: isOwn ? entry.name : 'custom',
      executionContext: this.#contextOf(command, caller),
      invocationTrigger: caller,
      ...(caller === 'model' && slashPrefix && { slashPrefix }),
      entry,
      caller,
      args,
      agentId,
      ...(sessionId !== undefined && { sessionId }),
    }
  }

  /** Throws `E_DENIED` unless a command may be invoked. Returns its trust level. */
  async #permit(entry: CatalogEntry, { caller, args, session, signal, remote, run, onAsk }: Begun): Promise<Permit> {
    const question: Question = { tool: 'Skill', content: entry.name, entry, caller, args, sessionId: session.key }
    // A remote skill runs nothing, so only a rule keeps it out. A run was permitted when it began: no one is asked
    // again, and the text that is there now is not approved.
    const isAsked = remote === undefined && run === undefined
    const { behavior, message, decisionReason, trust, approved } = await (isAsked
      ? this.#decisions.settled(question, signal, onAsk)
      : run === undefined
        ? this.decide(question, signal)
        : this.decideBeforeAsking(question, signal))
    if (behavior !== 'allow' && (isAsked || behavior === 'deny')) fail('E_DENIED', message, helpFor(decisionReason))
    return { trust, approved, wasAsked: decisionReason.type === 'host' }
  }

  #invocation(
    found: Pick<Invocation, 'entry' | 'command' | 'body' | 'trust' | 'approved'>,
    request: Begun,
  ): Invocation {
    const skills = this.#skills
    const { entry, command, approved } = found
    const { signal, args, caller, agentId, session, toolUseId, depth, tools, run, idempotencyKey, onAsk } = request
    const sessionId = session.key
    return {
      ...found,
      args,
      caller,
      agentId,
      session,
      toolUseId,
      idempotencyKey,
      depth,
      ...(tools !== undefined && { tools }),
      ...(run !== undefined && { run }),
      authorize: asked =>
        this.#decisions.settled({ ...asked, entry, caller, args, sessionId, approved }, signal, onAsk),
      forbids: action => this.forbids(action, command, signal),
      tells: text => this.#paths.text(text),
      progress: event => skills.emit('invocation:progress', { ...this.#eventOf(entry, request), event }),
      skill: name =>
        this.#skill(name, {
          ...request,
          caller: 'model',
          slashPrefix: false,
          args: '',
          remote: undefined,
          run: undefined,
        }),
      ended(end) {
        session.forks.delete(end.agentId)
        skills.emit('fork:ended', { ...end, ...(sessionId !== undefined && { sessionId }) })
      },
    }
  }

  async #skill(name: string, request: Begun): Promise<Invocation> {
    const found = await currentEntry(this.#skills, plainName(name), request.signal)
    const { entry } = found
    const { command } = entry
    if (!mayInvoke(entry, 'model') || command.type !== 'prompt')
      fail('E_NOT_INVOCABLE', `A model may not invoke "${entry.name}".`, 'See why with "explain".')
    const permit = await this.#permit(entry, request)
    const body = await this.#bodyOf(found, command, permit, request)
    return this.#invocation({ entry, command, body, trust: permit.trust, approved: permit.approved }, request)
  }

  /** Runs a `local` or `local-ui` command in this process. */
  async #runHere(command: Exclude<Command, PromptCommand>, args: string, signal: AbortSignal): Promise<Outcome> {
    const context = { signal, catalog: () => this.#skills.catalog({ signal }) }
    const data = { success: true, commandName: command.name, status: 'local' } as const
    if (command.type === 'local') return { data: { ...data, ...(await command.call(args, context)) }, newMessages: [] }
    const renderers = this.#skills.use('renderer')
    if (renderers.ids.length === 0)
      fail(
        'E_NO_RENDERER',
        `"${command.name}" shows a view, and no renderer is registered.`,
        'Register a renderer as a plugin.',
      )
    await command.call(args, {
      ...context,
      render: async view => void (await renderers.first((renderer, call) => renderer.render(view, call), { signal })),
    })
    return { data, newMessages: [] }
  }
}

/**
 * Collects facts for the tracer. The digest is that of the text now, or undefined if it cannot be read; the invocation
 * itself reports that.
 */
async function factsOf(
  { name, command }: CatalogEntry,
  { caller, agentId, toolUseId, args, session, signal }: InvokeRequest & { readonly session: string },
): Promise<WorkFacts> {
  const call = { signal: signal ?? new AbortController().signal }
  const digest = command.type === 'prompt' ? async () => command.digest?.(call) : async () => undefined
  const facts = { skill: name, source: command.source, trigger: caller, agentId, toolUseId, session, input: args }
  return { ...facts, digest: await digest().catch(() => undefined) }
}

function mayInvoke({ command, override, dormant }: CatalogEntry, caller: Caller): boolean {
  return caller === 'user'
    ? mayUserInvoke(command)
    : mayModelInvoke(command) && override !== 'user-only' && dormant === undefined
}

/** Returns the hint of a denial. If something failed, such as saving an answer, no rule and no answer helps. */
function helpFor({ type, rule, source }: PermissionDecision['decisionReason']): string {
  switch (type) {
    case 'failure':
    case 'unreadable':
      return 'Correct that problem first.'
    case 'trust':
      return 'An allow rule does not change that.'
    case 'rule':
      return 'Remove that rule, or narrow it.'
    default:
      return rule === undefined
        ? 'Add a rule that allows this call, or answer the question.'
        : `Answer the question: the rule ${rule.replace(/\s+/g, ' ')}${source === undefined ? '' : ` of ${source}`} requires an answer.`
  }
}

function fail(code: ErrorCode, message: string, hint: string): never {
  throw new SkillsError(code, message, { hint })
}

/** Returns a name without white space around it and without a leading `/`. */
export function plainName(given: string): string {
  return given.trim().replace(/^\/\s*/, '')
}

const isPlain = (name: string): boolean => /^[\w:-]*$/.test(name)
