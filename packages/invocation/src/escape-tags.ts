/** Invisible characters that may stand in a tag, also in its name. Not white space, which would end the name. */
const unseen = /(?!\s)[\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/gu
/**
 * How the tags go on that a reminder or an invocation is wrapped in. The second gap belongs to the slash: two in a row
 * would be tried in every division of one.
 */
const wrapperTag = /^\s*(?:\/\s*)?(?:system-reminder|command-[a-z])/iu

/**
 * The text with the tags escaped that wrap a text for a model, and tags like them. A tag counts also with white space
 * and invisible characters in it.
 */
export function escapeTags(text: string): string {
  if (!text.includes('<')) return text
  return text.replace(/<([^<]*)/g, (found, rest: string) =>
    wrapperTag.test(rest.replace(unseen, '')) ? `&lt;${rest}` : found,
  )
}
