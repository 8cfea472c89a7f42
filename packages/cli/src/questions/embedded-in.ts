import { findEmbeddedCommands } from '@skills/expansion'
import type { EmbeddedCommand } from '@skills/expansion/internal'
import type { Distribution } from '@skills/distributions'
import type { PromptBody, PromptCommand } from '@skills/core'

/** What counts as an embedded command in a distribution; `false`: nothing does. */
export type EmbeddedRules = Distribution['shell']

/** The commands that a body embeds, none of them run. Of what comes as blocks, no expander sees any. */
export function embeddedIn(
  body: PromptBody,
  { shell }: Pick<PromptCommand, 'shell'>,
  rules: EmbeddedRules,
): readonly EmbeddedCommand[] {
  return rules === false || !('template' in body) ? [] : findEmbeddedCommands(body.template, { ...rules, shell })
}
