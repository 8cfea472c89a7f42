/**
 * Returns every word of a script that may name a file, as far as its text shows. Rules about files are compared with
 * these words.
 */
export async function filesInScript(
  tool: string,
  script: string,
  values?: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  // Loaded here, with the grammar: without rules about files it is not needed.
  const { filesInScript: find } = await import('./script-files.js')
  return find(tool, script, values)
}
