import { printable } from './printable.js'
import type { ContentBlock, PromptBody } from '@skills/core'

export interface BodyText {
  /** Ends with a line feed; empty if there is no text. */
  readonly text: string
  /** True if every character is as in the body, apart from the kind of line end. */
  readonly isVerbatim: boolean
}

/**
 * Returns a body that is safe to print. Line feeds and tabs stay, and carriage returns before line feeds are removed.
 * Control characters are shown as their numbers everywhere, because piped output often reaches a terminal too.
 */
export function bodyText(body: PromptBody): BodyText {
  const plain = ('template' in body ? body.template : blocksText(body.blocks)).replaceAll('\r\n', '\n')
  const text = plain.replace(/[^\n\t]+/g, printable)
  return { text: text === '' || text.endsWith('\n') ? text : `${text}\n`, isVerbatim: text === plain }
}

/** Joins blocks, one below the other. A picture is shown as its type. The result is not safe to print. */
export function blocksText(blocks: readonly ContentBlock[]): string {
  return blocks.map(block => (block.type === 'text' ? block.text : `[image: ${block.mimeType}]`)).join('\n')
}
