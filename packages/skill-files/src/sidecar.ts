import { messageOf, type Diagnostic } from '@skills/core'
import { readWholeFile, lstatOf, statOf, type ReadFileOptions } from '@skills/fs'
import { parseYaml } from '@skills/frontmatter'

/** What `agents/openai.yaml` beside a skill says, and the state of that file when it was read. */
export interface Sidecar {
  readonly isModelBarred: boolean
  readonly problems: readonly Diagnostic[]
}

export function sidecarPath(folder: string): string {
  return `${folder}/agents/openai.yaml`
}

/** Changes whenever the sidecar of a folder does; undefined without one. */
export function sidecarStamp(folder: string): string | undefined {
  const path = sidecarPath(folder)
  const own = lstatOf(path)
  const stats = own?.isSymbolicLink() === true ? statOf(path) ?? own : own
  return stats === undefined ? undefined : `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`
}

/**
 * Reads `policy.allow_implicit_invocation` of a skill's sidecar. What is wrong with the file is a warning: the skill
 * itself is sound, but a model is kept from a skill whose policy cannot be read.
 */
export async function readSidecar(folder: string, name: string, options: Pick<ReadFileOptions, 'within' | 'sharedReads'>): Promise<Sidecar> {
  const path = sidecarPath(folder)
  const barred = (message: string, line?: number, column?: number): Sidecar => ({
    isModelBarred: true,
    problems: [{
      severity: 'warning', type: 'validation', code: 'sidecar', name, path, message, hint: 'Until it is corrected, the model may not invoke the skill by itself.',
      ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }),
    }],
  })
  const file = await readWholeFile(path, { ...options, maxBytes: 64 * 1024 })
  if (file === undefined) return { isModelBarred: false, problems: [] }
  if ('problem' in file) return barred(file.problem.message)
  const yaml = await parseYaml(file.bytes.toString('utf8'))
  if (!yaml.ok) return barred(yaml.diagnostics[0]?.message ?? 'It is not valid YAML.', yaml.diagnostics[0]?.line, yaml.diagnostics[0]?.column)
  const { checkSidecar } = await import('./sidecar-schema.js')
  try {
    return { isModelBarred: !checkSidecar(yaml.data), problems: [] }
  } catch (error) {
    return barred(`${path}: ${messageOf(error)}`)
  }
}
