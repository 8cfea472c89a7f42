/**
 * Every word of a script that may name a file, as far as its text shows, by a grammar of Bash: what rules about files are
 * held against.
 */
export async function filesInScript(
  tool: string,
  script: string,
  values?: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  // Loaded only here, with the grammar: where no rule is about files no one asks.
  const { filesInScript: find } = await import('./script-files.js')
  return find(tool, script, values)
}
