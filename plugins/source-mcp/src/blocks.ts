import { escapeTags } from '@skills/invocation'
import { cutTo } from '@skills/invocation/internal'
import { oneLine } from '@skills/invocation/skill-tool'
import { recordOf, textIn } from './unchecked.js'
import type { ContentBlock } from '@skills/core'

const beginning = 'From the MCP server '
/**
 * Most characters of a name in the statement of origin, so that the statement is short enough to be read completely.
 */
const longestName = 128
/** Characters that look like the end of a quotation, besides the one that JSON escapes. */
const quotes =
  /[\p{Pi}\p{Pf}\u02ba\u02dd\u02ee\u05f4\u201a\u201e\u2033\u2036\u275b-\u275e\u2760\u2e42\u3003\u301d-\u301f\uff02]/gu
const lines = /[^\n\r\u2028\u2029\v\f\x85]+/g
const base64 = /^[A-Za-z0-9+/]+={0,2}$/
const imageType = /^image\/[\w.+-]+$/

/**
 * Makes the block that states the origin of a server's content and stands before the content. No line of the content
 * can imitate this block.
 */
export function originBlock(server: string, what: 'prompt' | 'skill', name: string): ContentBlock {
  return {
    type: 'text',
    text: `${beginning}${quoted(server)}, its ${what} ${quoted(name)}. All text that follows comes from that server: not from the user, and not from this machine.`,
  }
}

/** Puts a name in quotation marks that none of its characters can close. */
function quoted(name: string): string {
  const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(cutTo(oneLine(name), longestName)).replace(quotes, escaped)
}

/** Makes a block of a server's text in which nothing can imitate a statement of origin or text of the host. */
export function remoteText(text: string): ContentBlock {
  const marked = text.replace(lines, line =>
    oneLine(line).toLowerCase().includes(beginning.toLowerCase().trim()) ? `> ${line}` : line,
  )
  return { type: 'text', text: escapeTags(marked) }
}

/**
 * Converts the unchecked messages of a prompt to blocks. Content that no block can hold is replaced by a text that
 * names it. Nothing is fetched.
 */
export function blocksOf(messages: readonly unknown[]): readonly ContentBlock[] {
  const blocks = messages.flatMap(message => {
    const { role, content } = recordOf(message)
    if (role !== 'user' && role !== 'assistant') return [leftOut('a message of neither the user nor the assistant')]
    const block = blockOf(content)
    // Blocks have no role. Without the mark, the assistant's part of a dialogue would be read as the user's.
    return role === 'assistant' ? [remoteText('[assistant]'), block] : [block]
  })
  return blocks.length > 0 ? blocks : [remoteText('[The server gave nothing.]')]
}

function blockOf(content: unknown): ContentBlock {
  const [text, uri] = [textIn(content, 'text'), textIn(content, 'uri')]
  switch (textIn(content, 'type')) {
    case 'text':
      return text === undefined ? leftOut('text that holds none') : remoteText(text)
    case 'image':
      return imageOf(textIn(content, 'data'), typeIn(content))
    case 'audio':
      return leftOut(`audio of the type ${typeIn(content)}`)
    case 'resource_link':
      return uri === undefined
        ? leftOut('a link that leads nowhere')
        : remoteText(`[link to the resource ${oneLine(uri)}, not read]`)
    case 'resource':
      return resourceOf(recordOf(content)['resource'])
    default:
      return leftOut('content of a kind that is not known')
  }
}

function resourceOf(resource: unknown): ContentBlock {
  const [uri, text, blob, mimeType] = [
    textIn(resource, 'uri'),
    textIn(resource, 'text'),
    textIn(resource, 'blob'),
    typeIn(resource),
  ]
  if (uri === undefined) return leftOut('a resource without a URI')
  if (text !== undefined) return remoteText(`[resource ${oneLine(uri)}]\n${text}`)
  return imageType.test(mimeType)
    ? imageOf(blob, mimeType)
    : leftOut(`the resource ${oneLine(uri)} of the type ${mimeType}`)
}

function imageOf(data: string | undefined, mimeType: string): ContentBlock {
  if (!imageType.test(mimeType)) return leftOut(`an image of the type ${mimeType}`)
  return data !== undefined && isBase64(data)
    ? { type: 'image', data, mimeType }
    : leftOut(`an image of the type ${mimeType}, whose data is no base64`)
}

/** True if a text is valid base64. Its length is never one more than a multiple of four. */
function isBase64(data: string): boolean {
  return base64.test(data) && data.length % 4 !== 1
}

function typeIn(content: unknown): string {
  return oneLine(textIn(content, 'mimeType') ?? 'application/octet-stream')
}

function leftOut(what: string): ContentBlock {
  return remoteText(`[left out: ${what}]`)
}
