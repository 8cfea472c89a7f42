const shells: readonly string[] = ['Bash', 'PowerShell']
const pathNames: readonly string[] = ['file_path', 'filePath', 'notebook_path', 'path']

/**
 * Returns the text of a tool call that rules are compared with. For `Bash` and `PowerShell` it is their `command`; for
 * a tool whose input names exactly one file, the path; otherwise, and for `Glob` with a pattern, the input as JSON. See
 * docs/reference/permissions.md, "Permission for the host's own tools".
 *
 * A model writes the input. If it has a second path, the tool might use that one, so the whole input is compared.
 */
export function toolContent(tool: string, input: unknown): string {
  const fields = new Map<string, unknown>(typeof input === 'object' && input !== null ? Object.entries(input) : [])
  const command = shells.includes(tool) ? fields.get('command') : undefined
  if (typeof command === 'string') return command
  // A pattern may match files outside the path beside it.
  const [path, ...others] =
    shells.includes(tool) || (tool === 'Glob' && fields.has('pattern'))
      ? []
      : pathNames.filter(name => fields.has(name)).map(name => fields.get(name))
  return typeof path === 'string' && others.length === 0 ? path : (JSON.stringify(input) ?? '')
}
