import type { FrontmatterReader } from '@skills/skill-md'

/**
 * Reads a file as openskills does, without frontmatter. The description is the unchanged text after the first
 * `description:` at the start of a line. The body is the whole file.
 */
export const openskillsFrontmatter: FrontmatterReader = (text, _yaml, { isWhole }) => {
  const found = /^description:\s*(.+?)$/m.exec(text)
  const isSure = found !== null && found.index + found[0].length < text.length
  return isSure || isWhole ? { data: { description: found?.[1]?.trim() ?? '' }, body: 0 } : undefined
}
