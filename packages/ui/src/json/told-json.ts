import type { ToldSkill } from '@skills/invocation/internal'
import type { ToldJson } from '../api.js'

/** Returns what the model is told of a skill as JSON. See docs/reference/output.md, "What the model is told". */
export function toldJson({ told, cause, chars, of, because, remedy, path }: ToldSkill): ToldJson {
  return { told, cause: cause ?? null, chars, of, because: because ?? null, remedy: remedy ?? null, path: path ?? null }
}
