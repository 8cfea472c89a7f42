/**
 * Returns a path for use in a rule about tools, such as one of `allowed-tools`, with its parentheses, asterisks and
 * backslashes escaped. Returns undefined for a path with a comma and white space: such a path would be read as two
 * rules, and whoever names the folder could write the second rule. See docs/reference/skill-files.md, "File sources".
 * @param path absolute, with forward slashes
 */
export function pathInRule(path: string): string | undefined {
  return /,\s/.test(path) ? undefined : path.replace(/[\\()*]/g, String.raw`\$&`)
}
