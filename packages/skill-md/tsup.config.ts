import { library } from '@skills/config/tsup'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * Builds gray-matter in, without the engines it brings along: each of them is replaced by ours or refused, so the older
 * YAML library and the evaluation of JavaScript would only be loaded, which takes ten times as long as all the rest of it.
 */
const withoutEngines: Plugin = {
  name: 'without-engines',
  setup(build) {
    build.onResolve({ filter: /^(\.\/lib\/engines|\.\/engines|fs)$/ }, ({ path, importer }) =>
      importer.includes('/gray-matter/') ? { path, namespace: 'nothing' } : undefined)
    build.onLoad({ filter: /./, namespace: 'nothing' }, () => ({ contents: 'module.exports = {}', loader: 'js' }))
  },
}

export default library({ builtIn: ['gray-matter'], splitting: true, esbuildPlugins: [withoutEngines] })
