import { forModel } from '@skills/invocation/skill-tool'
import { printable } from '@skills/invocation/skill-tool/terminal-text'
import type { ContentBlock } from '@modelcontextprotocol/server'
import type { ContentBlock as SkillBlock, Skills } from '@skills/core'
import type { Outcome } from '@skills/invocation'
import type { Asking, CurrentRequest } from './asked-calls.js'
import type { Settled } from './options.js'

/** Converts blocks of a skill to blocks of the protocol, which have the same form. */
export function protocolBlocks(blocks: readonly SkillBlock[]): ContentBlock[] {
  return blocks.map(block => ({ ...block }))
}

/** Returns the content for a person who invoked a skill: its text, or the result of a fork. */
export function blocksOf({ data, newMessages }: Outcome): ContentBlock[] {
  const { result } = data
  if (data.status === 'forked') return [{ type: 'text', text: typeof result === 'string' ? result : 'It runs.' }]
  return forModel(newMessages, undefined)
    .filter(({ type }) => type === 'user')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : protocolBlocks(content),
    )
}

/** Describes how to allow the requests that were denied because no one could be asked, or because of missing trust. */
export async function deniedText(
  { unanswered, distrusted }: Pick<Asking, 'unanswered' | 'distrusted'>,
  hintFor: Settled['allowHint'],
): Promise<string | undefined> {
  const all = [...distrusted, ...unanswered]
  const hints = await Promise.all(all.map(async ({ request, decision }) => hintFor(request, decision)))
  const lines = [...new Set(hints.flatMap(hint => (hint === undefined ? [] : [printable(hint)])))]
  if (unanswered.length > 0)
    lines.unshift('This client cannot ask its user (it does not support elicitation), so the answer was no.')
  return lines.length === 0 ? undefined : lines.join('\n')
}

/**
 * Sends the progress of a call to a client that wants it, until the returned function is called.
 * @param sessionId session in which the call is made
 */
export function tellProgress(
  skills: Skills,
  sessionId: string,
  current: CurrentRequest,
  tells: (text: string) => string,
): () => void {
  let progress = 0
  return skills.hook('invocation:progress', ({ sessionId: from, entry, event }) => {
    const { _meta: meta, notify } = current.ctx.mcpReq
    const progressToken = meta?.progressToken
    if (from !== sessionId || progressToken === undefined) return
    progress++
    // A disconnected client gets nothing more. Its call is ended by the signal.
    notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message: `${entry.name}: ${tells(progressText(event))}` },
    }).catch(() => {})
  })
}

function progressText(event: unknown): string {
  const { type, text, tool, steps }: Partial<Record<'type' | 'text' | 'tool' | 'steps', unknown>> =
    typeof event === 'object' && event !== null ? event : {}
  const said = type === 'tool' ? tool : type === 'text' ? text : type === 'step' ? `step ${String(steps)}` : type
  return typeof said === 'string' ? printable(said) : 'at work'
}
