import { fileStore, sourceContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { manifest } from '../test/engine.js'
import { pluginSource } from './index.js'

const without = {
  stall: 'No disk can be made to hang when a test asks for it.',
  ...(process.platform === 'win32' && { putEndless: 'Windows has no named pipes.' }),
}

testContract(
  'pluginSource() of a folder with a manifest',
  sourceContract(
    () => {
      const store = fileStore({ root: 'acme/skills' })
      store.tree.write(manifest('acme', { name: 'acme' }))
      return {
        provider: pluginSource({ plugins: [`${store.tree.path}/acme`] }),
        store,
        nameOf: name => `acme:${name}`,
        dispose: () => store.tree.dispose(),
      }
    },
    { without },
  ),
)

testContract(
  'pluginSource() of a marketplace whose plugin names a folder of its own',
  sourceContract(
    () => {
      const store = fileStore({ root: 'market/tools/acme/own' })
      store.tree.write(manifest('market/tools/acme', { name: 'acme', skills: './own' }))
      store.tree.write({
        'market/.claude-plugin/marketplace.json': JSON.stringify({
          name: 'market',
          plugins: [{ name: 'acme', source: './tools/acme' }],
        }),
      })
      return {
        provider: pluginSource({ marketplaces: [`${store.tree.path}/market`] }),
        store,
        nameOf: name => `acme:${name}`,
        dispose: () => store.tree.dispose(),
      }
    },
    { without },
  ),
)
