import { managedSource } from '@skills/source-managed'
import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { authoredOnly } from '../../authored.js'
import { compose } from '../../compose.js'
import { projectLinks } from '../../project-links.js'
import type { Distribution, DistributionOptions } from '../../distribution.js'

/**
 * The first Claude Code that had skills: frontmatter in lines, no variables, a listing in the tool's own text that ends
 * where its room does, and permission for each skill by its exact name. See
 * docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export function claudeCodeClassic(options: DistributionOptions): Distribution {
  const folders = ['.claude']
  return compose(
    {
      name: 'claude-code-classic',
      visibility: authoredOnly,
      precedence: ['managed', 'user', 'project', 'plugin', 'legacy'],
      identityOf: ({ dev, ino }, { name }) => `${name}:${dev}:${ino}`,
      layout: {
        walk: 'flat',
        otherCase: 'report',
        dialect: 'lines',
        hides: 'all',
        fallback: { from: 'heading', otherwise: 'Skill' },
        fields: {
          only: [
            'name',
            'description',
            'when_to_use',
            'allowed-tools',
            'model',
            'disable-model-invocation',
            'argument-hint',
            'version',
          ],
          booleans: 'only-true',
          toolSeparator: 'bare-comma',
        },
      },
      sources: reading => [
        ...managedSource({ ...reading, ...options.managed }),
        userSource({ folders, ...reading }),
        projectSource({ folders, linksTo: projectLinks(options, folders), reach: 'working-folder', ...reading }),
      ],
      published: {},
      text: {
        emptyArguments: 'keep',
        digits: 'none',
        names: false,
        braces: false,
        variables: 'none',
        baseDirBraces: false,
        escapes: 'none',
      },
      shell: { order: 'parallel', fences: 'look', onError: 'abort' },
      inline: { repeated: 'whole' },
      listing: { strategy: 'cutoff' },
      rules: { prefix: 'text', safe: false, suggest: { prefixes: false } },
      invoker: { unknownText: name => `Unknown command: ${name}` },
      tool: {
        takesArgs: false,
        listingIn: 'description',
        texts: { notPrompt: (_name, type) => `Unexpected ${type} command.` },
      },
    },
    options,
  )
}
