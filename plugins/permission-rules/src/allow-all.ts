import { defineProvider, type Provider } from '@skills/core'

/**
 * Makes the permission provider of a host that wants no permissions: it allows everything, and every decision says so.
 * Scripts from a server stay denied. See docs/reference/permissions.md, "Permissions".
 */
export function allowAll(): Provider<'permission'> {
  return defineProvider({
    kind: 'permission',
    id: 'allow-all',
    setup: () => ({
      check: ({ tool, trust, entry: { name } }) =>
        tool !== 'Skill' && trust === 'remote'
          ? {
              behavior: 'deny',
              message: `"${name}" may not use ${tool}: what a server sends never runs anything.`,
              decisionReason: { type: 'default' },
            }
          : {
              behavior: 'allow',
              message: 'The host allows everything: allowAll() is registered.',
              decisionReason: { type: 'rule', rule: '*', source: 'allowAll()' },
            },
    }),
  })
}
