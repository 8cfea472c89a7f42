import { forModel } from '@skills/invocation/skill-tool'
import { printable } from '@skills/invocation/skill-tool/terminal-text'
import type { ContentBlock } from '@modelcontextprotocol/server'
import type { ContentBlock as SkillBlock, Skills } from '@skills/core'
import type { Outcome } from '@skills/invocation'
import type { PermissionRequest } from '@skills/rules'
import type { CurrentRequest } from './asked-calls.js'

/** Blocks of a skill as the protocol has them: the two kinds are named alike. */
export function protocolBlocks(blocks: readonly SkillBlock[]): ContentBlock[] {
  return blocks.map(block => ({ ...block }))
}

/** What a person gets who invoked a skill: its text, or of a fork its result. */
export function blocksOf({ data, newMessages }: Outcome): ContentBlock[] {
  const { result } = data
  if (data.status === 'forked') return [{ type: 'text', text: typeof result === 'string' ? result : 'It runs.' }]
  return forModel(newMessages, undefined)
    .filter(({ type }) => type === 'user')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : protocolBlocks(content),
    )
}

/** What was denied because no one could be asked, each with the way to allow it. */
export function unansweredText(
  requests: readonly PermissionRequest[],
  hintFor: (request: PermissionRequest) => string,
): string | undefined {
  const hints = [...new Set(requests.map(hintFor))]
  return hints.length === 0
    ? undefined
    : ['This client cannot ask its user (it has no elicitation), so the answer was no.', ...hints.map(printable)].join(
        '\n',
      )
}

/**
 * Hands the progress of a call on to a client that wants it, until the returned function is called.
 * @param sessionId of the session that the call is made in
 */
export function tellProgress(skills: Skills, sessionId: string, current: CurrentRequest): () => void {
  let progress = 0
  return skills.hook('invocation:progress', ({ sessionId: from, entry, event }) => {
    const { _meta: meta, notify } = current.ctx.mcpReq
    const progressToken = meta?.progressToken
    if (from !== sessionId || progressToken === undefined) return
    progress++
    // A client that is gone learns nothing any more; its call ends by the signal.
    notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message: `${entry.name}: ${progressText(event)}` },
    }).catch(() => {})
  })
}

function progressText(event: unknown): string {
  const { type, text, tool, steps }: Partial<Record<'type' | 'text' | 'tool' | 'steps', unknown>> =
    typeof event === 'object' && event !== null ? event : {}
  const said = type === 'tool' ? tool : type === 'text' ? text : type === 'step' ? `step ${String(steps)}` : type
  return typeof said === 'string' ? printable(said) : 'at work'
}
