const shells: readonly string[] = ['Bash', 'PowerShell']
const pathNames: readonly string[] = ['file_path', 'filePath', 'notebook_path', 'path']

/**
 * What rules about a call of a tool are compared with: of `Bash` and `PowerShell` their `command`; of a tool whose
 * input names exactly one file, the path; else, and of `Glob` with a pattern, the input as JSON. See
 * docs/reference/permissions.md, "Permission for the host's own tools".
 *
 * A model writes the input. An input with a second path, which a tool might use rather than the first, is compared as a
 * whole.
 */
export function toolContent(tool: string, input: unknown): string {
  const fields = new Map<string, unknown>(typeof input === 'object' && input !== null ? Object.entries(input) : [])
  const command = shells.includes(tool) ? fields.get('command') : undefined
  if (typeof command === 'string') return command
  // A pattern may lead out of the path that stands beside it.
  const [path, ...others] =
    shells.includes(tool) || (tool === 'Glob' && fields.has('pattern'))
      ? []
      : pathNames.filter(name => fields.has(name)).map(name => fields.get(name))
  return typeof path === 'string' && others.length === 0 ? path : (JSON.stringify(input) ?? '')
}
