import { findEmbeddedCommands } from '@skills/expansion'
import type { EmbeddedCommand } from '@skills/expansion/internal'
import type { Distribution } from '@skills/distributions'
import type { PromptBody, PromptCommand } from '@skills/core'

/** Rules for what counts as an embedded command in a distribution. `false`: nothing does. */
export type EmbeddedRules = Distribution['shell']

/**
 * Returns the commands that a body embeds, without running them. A body of blocks embeds none, because no expander sees
 * it.
 */
export function embeddedIn(
  body: PromptBody,
  { shell }: Pick<PromptCommand, 'shell'>,
  rules: EmbeddedRules,
): readonly EmbeddedCommand[] {
  return rules === false || !('template' in body) ? [] : findEmbeddedCommands(body.template, { ...rules, shell })
}
