/**
 * A path as it stands in a rule about tools, such as one of `allowed-tools`: parentheses, asterisks and backslashes of
 * its own stand for themselves. Undefined for one with a comma and white space, which would make two rules of one, the
 * second with text that the folder's name chose. See docs/reference/skill-files.md, "File sources".
 * @param path absolute, forward slashes
 */
export function pathInRule(path: string): string | undefined {
  return /,\s/.test(path) ? undefined : path.replace(/[\\()*]/g, String.raw`\$&`)
}
