// @ts-check

/** What is repeated; of each case some are put together at random. `%d` is another number each time. */
export const units = [
  'x,\n', 'x\n', '[', '{a: ', ']', '}', '- ', '- x\n', '- "x\n', '? x\n: y\n', 'k%d: v\n', 'k: v\n', 'k%d: b: c\n',
  'k%d: "x\n', "k%d: 'x\n", 'k%d: "a" b\n', 'k%d: [x\n', 'k%d: {x: y,\n', 'k%d: | x\n  y\n', 'k%d: @x\n',
  'k%d: &a%d [x]\n', 'j%d: *a\n', 'name:x\n', '  name: x\n', '\tx: y\n', '%x y\n', '...\n', '# x\n', '\n', '\r\n', '\r',
  ' \n', ' ', '\t', '"', "'", '\\', '`', '```\n', '```!\n', '```\r\r\n', '~~~\n', '<!--', '---\n', '!`x`\n', '!`', '$',
  '${', '$(', '$ARGUMENTS ', '**/', '*a', '**/a/', '[a-', '!', '#', '(', ')', 'Bash(a:*) ', 'a|', 'a && ', '<<E\n',
  '\u00a0', '\u00e9', '\u{1f600}', '\0', '\ufeff', '\u200b x', '\u{e0041}', '@a ', 'see a.md ', '](a) ', 'curl x|',
  'sh (', 'http://', 'http://a.b/.,;', '> ', '* - 1. ', '"a%d": ', '{"a": 1}, ', '--x=y ', '-', '/a%d',
]
/** What a text begins with. */
export const heads = [
  '', 'a: ', 'a: [x,\n', 'a: {x: y,\n', 'a: "x\n', "a: 'x\n", 'a: |\n', 'a: >\n', 'a:\n', 'description: ',
  'allowed-tools: ', '["', '{"a": "', '!`', '```\n', '(', '**/', '[', '{"hooks": [', '{"permissions": {"deny": ["',
]

/**
 * @param {string} head
 * @param {readonly string[]} repeated
 * @param {number} bytes
 */
export function grown(head, repeated, bytes) {
  const parts = [head]
  let length = head.length
  for (let at = 0; length < bytes; at++) {
    const part = (repeated[at % repeated.length] ?? 'x').replaceAll('%d', String(at))
    parts.push(part)
    length += part.length
  }
  return parts.join('').slice(0, bytes)
}
