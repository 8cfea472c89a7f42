// @ts-check
import { promptCommand } from '@skills/core'
import { permissionRules } from '@skills/permission-rules'

/**
 * Makes a function that asks the permission rules alone about a script of a trusted skill.
 * @param {import('@skills/permission-rules').PermissionRulesOptions} options
 * @returns {Promise<(content: string) => Promise<boolean>>} true if it is allowed
 */
export async function judge(options) {
  const verdict = { level: 'trusted', isApproved: true }
  const { signal } = new AbortController()
  /** @type {any} The part of an engine that the provider asks. */
  const context = {
    signal,
    host: { clock: { now: () => 0 } },
    report() {},
    use: () => ({ first: async (/** @type {any} */ ask) => ask({ judge: () => verdict }, { signal }) }),
  }
  const permission = await permissionRules(options).setup(context)
  const command = promptCommand({ name: 'deploy', source: 'user', load: () => ({ template: '' }) })
  const named = /** @type {const} */ ({ name: 'deploy', provider: 'attack', override: 'on', isQualified: false })
  const entry = { ...named, command }
  return async content => {
    const request = /** @type {const} */ ({ tool: 'Bash', content, entry, trust: 'trusted', caller: 'model', args: '' })
    return (await permission.check(request, { signal })).behavior === 'allow'
  }
}
