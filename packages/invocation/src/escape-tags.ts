/** What may stand in a tag, its name too, without anybody seeing it. White space is not among it: in a name it makes another one. */
const unseen = /(?!\s)[\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/gu
/** How the tags go on that a reminder or an invocation is wrapped in. The second gap belongs to the slash: two in a row would be tried in every division of one. */
const wrapperTag = /^\s*(?:\/\s*)?(?:system-reminder|command-[a-z])/iu

/**
 * The text with nothing in it that ends what a text for a model is wrapped in, or begins something like it, however much white space stands in
 * the tag and however many characters that nobody sees.
 */
export function escapeTags(text: string): string {
  if (!text.includes('<')) return text
  return text.replace(/<([^<]*)/g, (found, rest: string) => wrapperTag.test(rest.replace(unseen, '')) ? `&lt;${rest}` : found)
}
