import { defineProvider, type Provider } from '@skills/core'

/**
 * Makes the permission provider for a host without permissions: it allows every request, and each decision says that
 * everything is allowed. Scripts from a server are still denied. See docs/reference/permissions.md, "Permissions".
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
              message: `"${name}" may not use ${tool}: a skill from a server never runs anything.`,
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
