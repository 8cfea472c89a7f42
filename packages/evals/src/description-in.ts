import { parseFrontmatter } from '@skills/skill-md'

/** The description in the text of a SKILL.md; undefined where it has none, or cannot be read. */
export async function descriptionIn(text: string): Promise<string | undefined> {
  const parsed = await parseFrontmatter(text)
  const description = parsed.ok ? parsed.data['description'] : undefined
  return typeof description === 'string' && description.trim() !== '' ? description.trim() : undefined
}
