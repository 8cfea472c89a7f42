import * as s from '@skills/core/schema'
import { SkillRegistry } from './skill-registry.js'
import type { Registry } from './registry-types.js'

const registryOptions = s.options('openRegistry()', {
  /** Path of a SQLite file, or URL of a PostgreSQL database: `postgres://…`. */
  at: s.text().required(),
  /** True to make the file or the tables if they are missing. */
  create: s.flag().default(false),
  /** Milliseconds that a call waits for another process that writes. */
  patienceMs: s.milliseconds().default(10_000),
  /** Milliseconds after which a request to PostgreSQL without an answer fails. */
  answerMs: s.milliseconds().default(60_000),
  /** Returns the milliseconds since the epoch, for the time of a publication. Default: the system's clock. */
  now: s.fn<() => number>(),
})

export interface RegistryOptions extends s.OptionsOf<typeof registryOptions> {}

/**
 * Opens a registry. See docs/reference/registry.md.
 * @throws SkillsError `E_REGISTRY_NOT_FOUND`, `E_REGISTRY_VERSION`, `E_REGISTRY_DAMAGED`, `E_REGISTRY_READ_ONLY`,
 *   `E_REGISTRY_BUSY`, `E_REGISTRY_FULL`, `E_REGISTRY`; `E_MISSING_PROVIDER` without the package that it needs
 */
export async function openRegistry(given: RegistryOptions): Promise<Registry> {
  const { at, create, patienceMs, answerMs, now = Date.now } = registryOptions.read(given)
  if (/^postgres(?:ql)?:/.test(at)) {
    const { openPostgres } = await import('./postgres.js')
    return new SkillRegistry(await openPostgres({ url: at, create, patienceMs, answerMs }), now)
  }
  const { openSqlite } = await import('./sqlite.js')
  return new SkillRegistry(await openSqlite({ path: at, create, patienceMs }), now)
}
