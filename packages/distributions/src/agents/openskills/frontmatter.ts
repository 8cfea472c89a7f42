import type { FrontmatterReader } from '@skills/skill-md'

/**
 * No frontmatter at all: the description is what stands behind the first `description:` at the start of a line, as it
 * is written, and the whole file is what an agent reads.
 */
export const openskillsFrontmatter: FrontmatterReader = (text, _yaml, { isWhole }) => {
  const found = /^description:\s*(.+?)$/m.exec(text)
  const isSure = found !== null && found.index + found[0].length < text.length
  return isSure || isWhole ? { data: { description: found?.[1]?.trim() ?? '' }, body: 0 } : undefined
}
