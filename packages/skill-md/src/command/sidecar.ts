import { asText, isRecord } from '../fields/field-values.js'
import { readYaml } from '../parse/parser.js'
import type { Diagnostic } from '@skills/core'
import type { SidecarFile } from './origin.js'

/** Content of `agents/openai.yaml` beside a skill. */
export interface Sidecar {
  readonly isModelBarred: boolean
  /** Products that the skill is for, in lower case. Empty: all. */
  readonly products: readonly string[]
  readonly problems: readonly Diagnostic[]
}

const yes = new Set(['true', '1', 'yes', 'on', 'y', 'enabled'])
const no = new Set(['false', '0', 'no', 'off', 'n', 'disabled'])

/**
 * Reads `policy.allow_implicit_invocation` and `policy.products` of a skill's sidecar, and ignores the rest of the
 * file. A problem is a warning, because the skill itself is valid; but a skill whose policy cannot be read is not
 * offered to a model. Returns undefined if this needs the YAML library and it is not loaded yet.
 */
export function readSidecar(file: SidecarFile, name: string): Sidecar | undefined {
  const barred = (message: string, { line, column }: Pick<Diagnostic, 'line' | 'column'> = {}): Sidecar => ({
    isModelBarred: true,
    products: [],
    problems: [
      {
        severity: 'warning',
        type: 'validation',
        code: 'sidecar',
        name,
        path: file.path,
        message,
        hint: 'Correct that file. Until then, the model may not invoke the skill by itself.',
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
      },
    ],
  })
  if ('problem' in file) return barred(file.problem.message)
  const yaml = readYaml(Buffer.from(file.bytes).toString('utf8'))
  if (yaml === undefined) return undefined
  if (!yaml.ok) return barred(yaml.diagnostics[0]?.message ?? 'It is not valid YAML.', yaml.diagnostics[0])
  const allowed = allowsModel(yaml.data)
  return typeof allowed === 'string'
    ? barred(`${file.path}: ${allowed}`)
    : { isModelBarred: !allowed, products: productsIn(yaml.data), problems: [] }
}

function productsIn(data: unknown): readonly string[] {
  const policy = isRecord(data) ? data['policy'] : undefined
  const products: unknown = isRecord(policy) ? policy['products'] : undefined
  return Array.isArray(products) ? products.flatMap((one: unknown) => asText(one)?.toLowerCase() ?? []) : []
}

/** Returns whether the model may invoke the skill by itself, or a sentence about an invalid value. */
function allowsModel(data: unknown): boolean | string {
  const policy = isRecord(data) ? (data['policy'] ?? {}) : (data ?? {})
  if (!isRecord(policy)) return isRecord(data) ? 'policy must be a map.' : 'It must be a map.'
  const value = policy['allow_implicit_invocation'] ?? true
  const word = asText(value)?.toLowerCase() ?? ''
  return yes.has(word) || (!no.has(word) && 'policy.allow_implicit_invocation must be true or false.')
}
