/**
 * Returns the first paragraph of a Markdown body on one line, for a skill without a description. A heading counts as a
 * paragraph, without its marks. Skips blank lines, HTML comments, horizontal rules and code blocks before it.
 * @param body text after the frontmatter
 */
export function firstParagraph(body: string): string | undefined {
  const lines = withoutComments(body).split(/\r\n|\n|\r/)
  const paragraph: string[] = []
  let fence = ''
  for (const line of lines) {
    const text = line.trim()
    if (fence !== '') {
      if (text.startsWith(fence) && text.replaceAll(fence[0]!, '') === '') fence = ''
      continue
    }
    const opening = /^(?:`{3,}|~{3,})/.exec(text)?.[0]
    const heading = /^#{1,6}(?=[ \t]|$)/.exec(text)?.[0]
    if (paragraph.length > 0) {
      if (text === '' || opening !== undefined || heading !== undefined || isRule(text) || /^=+$/.test(text)) break
      paragraph.push(text)
    } else if (opening !== undefined) {
      fence = opening
    } else if (heading !== undefined) {
      const title = withoutClosingMarks(text.slice(heading.length).trim())
      if (title !== '') return collapse(title)
    } else if (text !== '' && !isRule(text)) {
      paragraph.push(text)
    }
  }
  return paragraph.length === 0 ? undefined : collapse(paragraph.join(' '))
}

/** Most characters of a first line that stands for a description. */
const longestLine = 100

/**
 * Returns the first line of a body that is not blank, without the marks of a heading and cut after 100 characters;
 * undefined if there is none.
 */
export function firstLine(body: string): string | undefined {
  for (const line of body.split('\n')) {
    const text = line.trim().replace(/^#+\s+/, '')
    if (text !== '') return text.length > longestLine ? `${text.slice(0, longestLine - 3)}...` : text
  }
  return undefined
}

/** Returns the first heading of a Markdown body, without its marks; undefined if there is none. */
export function firstHeading(body: string): string | undefined {
  let fence = ''
  for (const line of withoutComments(body).split(/\r\n|\n|\r/)) {
    const text = line.trim()
    if (fence !== '') {
      if (text.startsWith(fence) && text.replaceAll(fence.charAt(0), '') === '') fence = ''
      continue
    }
    fence = /^(?:`{3,}|~{3,})/.exec(text)?.[0] ?? ''
    const [marks] = /^#{1,6}(?=[ \t])/.exec(text) ?? []
    const title = marks === undefined ? '' : withoutClosingMarks(text.slice(marks.length).trim())
    if (title !== '') return collapse(title)
  }
  return undefined
}

/** Removes the comments before the first other content. */
function withoutComments(body: string): string {
  let rest = body.replace(/^\uFEFF/, '')
  for (;;) {
    const trimmed = rest.trimStart()
    if (!trimmed.startsWith('<!--')) return rest
    const end = trimmed.indexOf('-->', 4)
    if (end === -1) return ''
    rest = trimmed.slice(end + 3)
  }
}

/** Returns true for three or more of one mark, also with spaces between them. */
function isRule(text: string): boolean {
  return (
    /^[-*_][-*_ \t]{2,}$/.test(text) &&
    new Set(text.replace(/[ \t]/g, '')).size === 1 &&
    text.replace(/[ \t]/g, '').length >= 3
  )
}

function withoutClosingMarks(title: string): string {
  let end = title.length
  while (end > 0 && title[end - 1] === '#') end--
  return end === 0 || title[end - 1] === ' ' || title[end - 1] === '\t' ? title.slice(0, end).trimEnd() : title
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
