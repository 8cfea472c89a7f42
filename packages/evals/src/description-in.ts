import { parseFrontmatter } from '@skills/skill-md'

/** Returns the description in the text of a SKILL.md. Undefined if it has none or cannot be parsed. */
export async function descriptionIn(text: string): Promise<string | undefined> {
  const parsed = await parseFrontmatter(text)
  const description = parsed.ok ? parsed.data['description'] : undefined
  return typeof description === 'string' && description.trim() !== '' ? description.trim() : undefined
}
