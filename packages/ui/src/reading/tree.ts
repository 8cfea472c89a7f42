import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import type { Nodes, Parents } from 'mdast'
import type { Reading, ReadNode, ReadTag } from '../api.js'

/** Most levels of nested elements. */
const mostLevels = 100

/**
 * Parses Markdown into elements that the page draws. Only known kinds become elements; HTML tags, pictures and
 * everything unknown stay text. No character is left out, so that a reviewer sees the same text as a model: a link
 * shows its target, and a definition stays in its place.
 * @param mostElements limit of elements; a browser would take seconds to lay out more
 */
export function readingOf(markdown: string, mostElements: number): Reading {
  const text = markdown.replace(/^\uFEFF/, '')
  const tree = fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
  return new TreeReader(text, mostElements).read(tree)
}

class TreeReader {
  #elements = 0
  #level = 0
  /** Level of the last heading. Headings begin below those of the page and skip no level, for screen readers. */
  #heading = 2

  constructor(
    private readonly text: string,
    private readonly most: number,
  ) {}

  read(tree: Parents): Reading {
    try {
      return { nodes: this.#children(tree) }
    } catch (error) {
      if (error instanceof TooLarge) return { problem: error.message, mayTakeLonger: error.mayTakeLonger }
      throw error
    }
  }

  #element(tag: ReadTag, children: readonly ReadNode[] = [], more: { href?: string; start?: number } = {}): ReadNode {
    this.#elements += 1
    if (this.#elements > this.most) throw new TooLarge(`it has more than ${this.most} parts`, true)
    return { tag, children, ...more }
  }

  #children({ children }: Parents): readonly ReadNode[] {
    this.#level += 1
    if (this.#level > mostLevels) throw new TooLarge(`it is nested deeper than ${mostLevels} levels`, false)
    const nodes = children.map(child => this.#node(child))
    this.#level -= 1
    return nodes
  }

  #node(node: Nodes): ReadNode {
    switch (node.type) {
      case 'text':
        return node.value
      case 'paragraph':
        return this.#element('p', this.#children(node))
      case 'heading': {
        this.#heading = Math.min(this.#heading + 1, 6, node.depth + 2)
        return this.#element(`h${this.#heading}` as ReadTag, this.#children(node))
      }
      case 'emphasis':
        return this.#element('em', this.#children(node))
      case 'strong':
        return this.#element('strong', this.#children(node))
      case 'blockquote':
        return this.#element('blockquote', this.#children(node))
      case 'list': {
        const start = node.start ?? 1
        const tag = node.ordered === true ? 'ol' : 'ul'
        return this.#element(tag, this.#children(node), start === 1 ? {} : { start })
      }
      case 'listItem':
        return this.#element('li', this.#children(node))
      case 'inlineCode':
        return this.#element('code', [node.value])
      case 'code': {
        const info = [node.lang, node.meta].filter(Boolean).join(' ')
        return this.#element('pre', [...(info === '' ? [] : [this.#element('small', [`${info}\n`])]), node.value])
      }
      case 'break':
        return this.#element('br')
      case 'thematicBreak':
        return this.#element('hr')
      case 'link': {
        const { url, title } = node
        const isItsOwnText = this.#source(node).startsWith('<')
        const where = title === null || title === undefined ? ` (${url})` : ` (${url} "${title}")`
        const href = /^https?:/i.test(url) ? { href: url } : {}
        const said = this.#children(node)
        return this.#element('a', isItsOwnText ? said : [...said, this.#element('small', [where])], href)
      }
      case 'linkReference': {
        const name = node.referenceType === 'full' ? [this.#element('small', [` [${node.label ?? ''}]`])] : []
        return this.#element('a', [...this.#children(node), ...name])
      }
      case 'table': {
        const [head, ...rows] = node.children
        const names = (head?.children ?? []).map(cell => this.#element('th', this.#children(cell)))
        const body = rows.map(row => this.#element('tr', this.#children(row)))
        return this.#element('table', [
          this.#element('thead', [this.#element('tr', names)]),
          this.#element('tbody', body),
        ])
      }
      case 'tableCell':
        return this.#element('td', this.#children(node))
      case 'html':
        return this.#level > 1 && !node.value.includes('\n') ? node.value : this.#element('pre', [node.value])
      case 'definition':
        return this.#element('p', [this.#element('small', [this.#source(node)])])
      default:
        return this.#source(node)
    }
  }

  /** Returns the source text of a node. */
  #source({ position }: Nodes): string {
    return this.text.slice(position?.start.offset, position?.end.offset)
  }
}

class TooLarge extends Error {
  constructor(
    message: string,
    readonly mayTakeLonger: boolean,
  ) {
    super(message)
  }
}
