import { oneLine } from '@skills/skill-tool'
import type { ContentBlock } from '@skills/core'
import type { ContentBlock as McpContent, PromptMessage } from '@modelcontextprotocol/client'

const beginning = 'From the MCP server '
const lines = /[^\n\r\u2028\u2029\v\f\x85]+/g
/** Tags that hosts wrap their own words in: no server speaks for the host. */
const hostTags = /<(?=[\s\p{Cf}]*\/?[\s\p{Cf}]*(?:system-reminder|command-[a-z]+))/giu
const base64 = /^[A-Za-z0-9+/]+={0,2}$/
const imageType = /^image\/[\w.+-]+$/

/** The first block of everything that comes from a server. No line of the content can look like it. */
export function originBlock(server: string, what: 'prompt' | 'skill', name: string): ContentBlock {
  return { type: 'text', text: `${beginning}"${oneLine(server)}", its ${what} "${oneLine(name)}". All that follows was written there: not by the user, and not on this machine.` }
}

/** Text of a server in which nothing passes for a statement of origin, or for words of the host. */
export function remoteText(text: string): ContentBlock {
  const marked = text.replace(lines, line => oneLine(line).toLowerCase().includes(beginning.toLowerCase().trim()) ? `> ${line}` : line)
  return { type: 'text', text: marked.replace(hostTags, '&lt;') }
}

/** The messages of a prompt as blocks. What no block can hold is named, never dropped in silence; nothing is fetched. */
export function blocksOf(messages: readonly PromptMessage[]): readonly ContentBlock[] {
  const blocks = messages.flatMap(({ role, content }) => {
    const block = blockOf(content)
    // A block has no role; without the mark the assistant's part of a dialogue would be the user's.
    return role === 'assistant' ? [remoteText('[assistant]'), block] : [block]
  })
  return blocks.length > 0 ? blocks : [remoteText('[The server gave nothing.]')]
}

function blockOf(content: McpContent): ContentBlock {
  switch (content.type) {
    case 'text': return remoteText(content.text)
    case 'image': return imageOf(content.data, content.mimeType)
    case 'audio': return leftOut(`audio of the type ${oneLine(content.mimeType)}`)
    case 'resource_link': return remoteText(`[link to the resource ${oneLine(content.uri)}, not read]`)
    case 'resource': {
      const { resource } = content
      if ('text' in resource) return remoteText(`[resource ${oneLine(resource.uri)}]\n${resource.text}`)
      const mimeType = resource.mimeType ?? 'application/octet-stream'
      return imageType.test(mimeType) ? imageOf(resource.blob, mimeType) : leftOut(`the resource ${oneLine(resource.uri)} of the type ${oneLine(mimeType)}`)
    }
    default: return leftOut('content of a kind that is not known')
  }
}

function imageOf(data: string, mimeType: string): ContentBlock {
  return imageType.test(mimeType) && base64.test(data) ? { type: 'image', data, mimeType } : leftOut(`an image of the type ${oneLine(mimeType)}`)
}

function leftOut(what: string): ContentBlock {
  return remoteText(`[left out: ${what}]`)
}
