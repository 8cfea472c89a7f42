import { expand, type EvaluateContext, type Expander, type NamedExpander } from '@skills/expansion'
import { trimmed, type Token } from '@skills/expansion/internal'
import { readWholeFile } from '@skills/files'
import { mayUserInvoke, type CatalogEntry, type ContentBlock, type PromptCommand, type Skills } from '@skills/core'
import { segmentsOf, type CommandWish, type Frame, type Segment } from './segments.js'
import type { Caller, PermissionDecision, PermissionRequest } from '@skills/rules'
import type { Decided } from '@skills/invocation/internal'
import type { Invoker } from '@skills/invocation'

export interface Rendered {
  /** Exact text for a model. */
  readonly text: string
  /** Blocks of a prompt, which no expander changes. */
  readonly blocks: readonly ContentBlock[] | undefined
  /** Pieces of the text in order; joined, they are the text. */
  readonly segments: readonly Segment[]
}

export interface RenderCall {
  readonly skills: Skills
  readonly invoker: Invoker
  readonly args: string
  readonly signal: AbortSignal
  /** True if embedded commands stay as written. */
  readonly isShellOff: boolean
  /** Part of the body that is dropped before it is expanded. */
  readonly trims: 'blank-lines' | boolean
  /** Asks for a permission that no rule decides. Undefined leaves the command as written. */
  readonly ask: (request: PermissionRequest, decision: Decided) => Promise<'allow' | 'deny' | undefined>
}

/** Id of the provider of embedded commands. */
const shell = 'shell'

/**
 * Expands a skill as an invocation does, and records the origin of every piece. Needs no permission to invoke the
 * skill, because the text is only shown. Embedded commands run only as in an invocation. See docs/reference/cli.md,
 * "Rendering a skill".
 */
export async function renderSkill(
  entry: CatalogEntry & { readonly command: PromptCommand },
  options: RenderCall,
): Promise<Rendered> {
  const { skills, invoker, args, signal } = options
  const { command } = entry
  const body = await command.load(args, { signal })
  if ('blocks' in body) return { text: '', blocks: body.blocks, segments: [] }
  const verdict = await skills.use('trust').first((trust, call) => trust.judge(command, false, call), { signal })
  const wishes = new Map<Token, CommandWish>()
  const frames: Frame[] = []
  // Expanders are wrapped in objects, so that an own `then` cannot make one look like a promise.
  const found = await skills.use('expander').each(expander => ({ expander }), { signal })
  const expanders = found.map(({ id, value: { expander } }) =>
    watched(id, expander, { entry, options, wishes, frames }),
  )
  const kept = trimmed(body.template, options.trims)
  const { text, tokens } = await expand(kept, expanders, {
    command,
    args,
    trust: verdict?.level ?? 'untrusted',
    host: skills.host,
    effort: command.effort,
    signal,
    // Embedded commands are authorized below, each by itself. All other requests are for files that a text includes.
    authorize: async request =>
      request.isFree === true
        ? (await permissionFor(request, entry, options)).decision
        : {
            behavior: 'deny',
            message: 'When a skill is rendered, only its embedded commands may run.',
            decisionReason: { type: 'host' },
          },
    forbids: action => invoker.forbids(action, command, signal),
    progress: () => {},
  })
  return {
    text,
    blocks: undefined,
    segments: segmentsOf({
      body: kept,
      dropped: body.template.slice(0, body.template.indexOf(kept)),
      linesBefore: await linesBefore(command, signal),
      text,
      tokens,
      frames,
      wishes,
    }),
  }
}

/** Returns how many lines precede the body in a skill's file, because an editor counts from the start of the file. */
async function linesBefore({ filePath, file, contentLength }: PromptCommand, signal: AbortSignal): Promise<number> {
  if (filePath === undefined || file === undefined) return 0
  const read = await readWholeFile(filePath, { within: [file.realPath], signal })
  // A file removed since the body was read counts as having no lines before it.
  return read === undefined || 'problem' in read
    ? 0
    : read.bytes.toString('latin1', 0, read.bytes.length - contentLength).split('\n').length - 1
}

interface Watch {
  readonly entry: CatalogEntry
  readonly options: RenderCall
  readonly wishes: Map<Token, CommandWish>
  readonly frames: Frame[]
}

/** Wraps an expander to record its frames and the permissions it asks for. */
function watched(id: string, expander: Expander, watch: Watch): NamedExpander {
  const { frames } = watch
  return {
    id,
    value: {
      claims: expander.claims,
      lex: (text, at, context) => expander.lex(text, at, context),
      evaluate: (token, context) =>
        id === shell ? evaluateCommand(expander, token, context, watch) : expander.evaluate(token, context),
      async frame(tokens, context) {
        const frame = (await expander.frame?.(tokens, context)) ?? {}
        frames.push({ expander: id, ...frame })
        return frame
      },
    },
  }
}

async function evaluateCommand(
  expander: Expander,
  token: Token,
  context: EvaluateContext,
  { entry, options, wishes }: Watch,
): Promise<string | undefined> {
  // An escaped command runs nothing.
  if (token.inner === undefined) return expander.evaluate(token, context)
  if (options.isShellOff) {
    wishes.set(token, {})
    // Values that the command refers to count as used. Otherwise the arguments would be appended although the text has
    // a place for them.
    for (const child of token.children) await context.value(child)
    return undefined
  }
  // An undecided command stays as written instead of becoming the expander's text for a denial.
  let isOpen = false
  const authorize: EvaluateContext['authorize'] = async request => {
    const { decision, isAnswered } = await permissionFor(request, entry, options)
    isOpen = !isAnswered
    wishes.set(token, { request, decision, isOpen })
    return decision
  }
  wishes.set(token, {})
  try {
    const value = await expander.evaluate(token, { ...context, authorize })
    return isOpen ? undefined : value
  } catch (error) {
    if (isOpen && !options.signal.aborted) return undefined
    throw error
  }
}

async function permissionFor(
  request: Pick<PermissionRequest, 'tool' | 'content' | 'values' | 'isFree'>,
  entry: CatalogEntry,
  { invoker, args, signal, ask }: RenderCall,
): Promise<{ readonly decision: PermissionDecision; readonly isAnswered: boolean }> {
  const caller: Caller = mayUserInvoke(entry.command) ? 'user' : 'model'
  const question = { ...request, entry, args, caller }
  const { trust, ...decision } = await invoker.decideBeforeAsking(question, signal)
  if (decision.behavior !== 'ask') return { decision, isAnswered: true }
  const answer = await ask({ ...question, trust }, { ...decision, trust })
  return {
    decision: {
      ...decision,
      behavior: answer === 'allow' ? 'allow' : 'deny',
      decisionReason: answer === undefined ? decision.decisionReason : { type: 'host' },
    },
    isAnswered: answer !== undefined,
  }
}
