import { micromark } from 'micromark'
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table'

interface Policy {
  createHTML(text: string): string
}
interface Factory {
  createPolicy(name: string, rules: Policy): Policy
}

const asIs: Policy = { createHTML: text => text }
const { trustedTypes } = globalThis as { trustedTypes?: Factory }
/** The one place of the page where a text becomes elements. */
const policy = trustedTypes?.createPolicy('skills-markdown', asIs) ?? asIs

/**
 * A skill's body as elements. Tags in it stay text, and so do addresses that are not of the web; no picture is loaded,
 * and a link says where it leads.
 */
export function rendered(text: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = policy.createHTML(
    micromark(text, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] }),
  )
  const { content } = template
  for (const image of content.querySelectorAll('img'))
    image.replaceWith(`[picture: ${image.alt || 'without a text'}, ${image.getAttribute('src') ?? ''}]`)
  for (const link of content.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? ''
    if (/^https?:/.test(href)) {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
      link.title = href
    } else link.removeAttribute('href')
  }
  // They begin below those of the page, and leave no level out: so a screen reader tells what belongs to what.
  let level = 2
  for (const heading of content.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    level = Math.min(level + 1, 6, Number(heading.tagName[1]) + 2)
    const lower = document.createElement(`h${level}`)
    lower.append(...heading.childNodes)
    heading.replaceWith(lower)
  }
  for (const code of content.querySelectorAll('pre')) code.tabIndex = 0
  return content
}
