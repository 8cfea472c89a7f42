import { printable } from './printable.js'
import type { ContentBlock, PromptBody } from '@skills/core'

export interface BodyText {
  /** Ends with a line feed; empty when there is nothing. */
  readonly text: string
  /** Whether every character is as the body has it, its kind of line ends aside. */
  readonly isVerbatim: boolean
}

/**
 * A body that is safe to print. Line feeds and tabs stay, carriage returns before line feeds go, and what a terminal
 * would obey is shown as its number wherever it is printed to: what goes into a pipe ends on a terminal often enough.
 */
export function bodyText(body: PromptBody): BodyText {
  const plain = ('template' in body ? body.template : blocksText(body.blocks)).replaceAll('\r\n', '\n')
  const text = plain.replace(/[^\n\t]+/g, printable)
  return { text: text === '' || text.endsWith('\n') ? text : `${text}\n`, isVerbatim: text === plain }
}

/** Blocks one below the other, a picture as what it is. Not made safe to print. */
export function blocksText(blocks: readonly ContentBlock[]): string {
  return blocks.map(block => (block.type === 'text' ? block.text : `[image: ${block.mimeType}]`)).join('\n')
}
