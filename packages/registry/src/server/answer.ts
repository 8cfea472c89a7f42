import { createHash } from 'node:crypto'
import { SkillsError } from '@skills/core'
import { registryError, type RegistryErrorCode } from '../registry-error.js'

/** Answer to a request. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

type Headers = Readonly<Record<string, string>>

/** Statuses and headers of the answers for errors that are made here. */
const refusals = new WeakMap<SkillsError, { readonly status: number; readonly headers: Headers }>()

/** Makes the error of a request that is refused with a status. */
export function refusal(
  status: number,
  code: RegistryErrorCode,
  message: string,
  hint: string,
  headers: Headers = {},
): SkillsError {
  const error = registryError(code, message, hint)
  refusals.set(error, { status, headers })
  return error
}

export const missing = (what: string, hint = 'Search for it: GET /v1/search?q=WORDS'): SkillsError =>
  refusal(404, 'E_REGISTRY_NOT_FOUND', `The registry has no ${what}.`, hint)

/** Statuses of errors; of other errors, those of sources and archives are the client's. */
const statuses: Readonly<Record<string, number>> = {
  E_REGISTRY: 503,
  E_REGISTRY_BUSY: 503,
  E_REGISTRY_DAMAGED: 500,
  E_REGISTRY_DENIED: 403,
  E_REGISTRY_EXISTS: 409,
  E_REGISTRY_FULL: 507,
  E_REGISTRY_LIMIT: 413,
  E_REGISTRY_NAME: 422,
  E_REGISTRY_NOT_FOUND: 404,
  E_REGISTRY_READ_ONLY: 503,
  E_REGISTRY_SKILL: 422,
  E_REGISTRY_VERSION: 500,
}

/**
 * Returns the answer to a request that failed.
 * @param onProblem called with a fault of the server, which the answer does not show: it may name files
 */
export function failed(error: unknown, onProblem: (error: unknown) => void): Answer {
  const refused = SkillsError.is(error) ? refusals.get(error) : undefined
  if (SkillsError.is(error) && refused !== undefined) return errorAnswer(refused.status, error, refused.headers)
  const status = SkillsError.is(error)
    ? (statuses[error.code] ?? (/^E_(?:ARCHIVE|INSTALL|INVALID)_/.test(error.code) ? 422 : 500))
    : 500
  if (status < 500 && SkillsError.is(error)) return errorAnswer(status, error)
  onProblem(error)
  const code = SkillsError.is(error) ? error.code : 'E_REGISTRY'
  const hidden = new SkillsError(code, 'The registry cannot answer.', { hint: 'Try again later.' })
  return errorAnswer(status, hidden, { 'retry-after': '5' })
}

function errorAnswer(status: number, { code, message, hint }: SkillsError, headers = {}): Answer {
  const answer = json({ error: { code, message, hint } }, status)
  return { ...answer, headers: { ...answer.headers, ...headers, 'cache-control': 'no-store' } }
}

export const json = (value: object, status = 200): Answer => jsonText(JSON.stringify(value), status)

export function jsonText(text: string, status = 200): Answer {
  const body = Buffer.from(text)
  return content(body, 'application/json', { status, tag: createHash('sha256').update(body).digest('base64url') })
}

/** @param tag text that differs for each body */
export function content(
  body: Uint8Array,
  type: string,
  { tag, status = 200 }: { readonly tag: string; readonly status?: number },
): Answer {
  return { status, headers: { 'content-type': type, etag: `"${tag}"`, 'cache-control': 'no-cache' }, body }
}
