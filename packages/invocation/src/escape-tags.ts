/** Invisible characters that may stand in a tag, even in its name. White space is left out: it would end the name. */
const unseen = /(?!\s)[\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/gu
/**
 * Start, after `<`, of the tags that wrap a reminder or an invocation. The second `\s*` stands inside the group of the
 * slash: two in a row would be tried in every division of the same white space.
 */
const wrapperTag = /^\s*(?:\/\s*)?(?:system-reminder|command-[a-z])/iu

/**
 * Escapes the tags that wrap text for a model, and tags that look like them. White space and invisible characters
 * inside a tag are ignored.
 */
export function escapeTags(text: string): string {
  if (!text.includes('<')) return text
  return text.replace(/<([^<]*)/g, (found, rest: string) =>
    wrapperTag.test(rest.replace(unseen, '')) ? `&lt;${rest}` : found,
  )
}
