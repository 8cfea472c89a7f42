import { messageOf, type Diagnostic } from '@skills/core'
import { parseYaml } from '@skills/skill-md'
import { readWholeFile, readWholeFileSync, type ReadFileOptions, type WholeFile } from '@skills/fs'
import * as z from 'zod/mini'
import { sidecarPath } from './sidecar.js'

/** What `agents/openai.yaml` beside a skill says. */
export interface Sidecar {
  readonly isModelBarred: boolean
  readonly problems: readonly Diagnostic[]
  /** Whether it still says so: for one that may have changed without its stamp. */
  readonly saysStill: () => boolean
}

const maxBytes = 64 * 1024

// Loose: the file says much else that is not ours to judge.
const schema = z.nullable(z.looseObject({
  policy: z.optional(z.nullable(z.looseObject({
    allow_implicit_invocation: z.optional(z.nullable(z.union([z.stringbool(), z.boolean()], { error: 'must be true or false' }))),
  }))),
}))

/**
 * Reads `policy.allow_implicit_invocation` of a skill's sidecar. What is wrong with the file is a warning: the skill
 * itself is sound, but a model is kept from a skill whose policy cannot be read.
 */
export async function readSidecar(folder: string, name: string, options: Pick<ReadFileOptions, 'within' | 'store'>): Promise<Sidecar> {
  const path = sidecarPath(folder)
  const file = await readWholeFile(path, { ...options, maxBytes })
  const content = contentOf(file)
  const saysStill = (): boolean => contentOf(readWholeFileSync(path, { within: options.within, maxBytes })) === content
  const barred = (message: string, line?: number, column?: number): Sidecar => ({
    saysStill, isModelBarred: true,
    problems: [{
      severity: 'warning', type: 'validation', code: 'sidecar', name, path, message, hint: 'Until it is corrected, the model may not invoke the skill by itself.',
      ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }),
    }],
  })
  if (file === undefined) return { saysStill, isModelBarred: false, problems: [] }
  if ('problem' in file) return barred(file.problem.message)
  const yaml = await parseYaml(file.bytes.toString('utf8'))
  if (!yaml.ok) return barred(yaml.diagnostics[0]?.message ?? 'It is not valid YAML.', yaml.diagnostics[0]?.line, yaml.diagnostics[0]?.column)
  try {
    return { saysStill, isModelBarred: !checkSidecar(yaml.data), problems: [] }
  } catch (error) {
    return barred(`${path}: ${messageOf(error)}`)
  }
}

function contentOf(file: WholeFile): string | undefined {
  return file !== undefined && 'bytes' in file ? file.bytes.toString('latin1') : file?.problem.message
}

/** Whether the model may invoke the skill by itself. Throws a sentence naming the field that is wrong. */
function checkSidecar(data: unknown): boolean {
  const result = schema.safeParse(data)
  if (result.success) return result.data?.policy?.allow_implicit_invocation ?? true
  const [issue] = result.error.issues
  throw new TypeError(`${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}`.trim() + '.')
}
