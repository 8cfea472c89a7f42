import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root, workspacePackages } from '../workspace.mjs'
import { entrySources } from './built-output.js'

const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)

const publishedNames = workspacePackages()
  .filter(({ folder, manifest }) => /^(packages|plugins)\//.test(folder) && !manifest.private)
  .flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports ?? {}).map(([subpath, target]) => ({
      name: `${manifest.name}${subpath.slice(1)}`,
      source: entrySources(target)
        .map(file => `${folder}/${file}`)
        .find(file => file.endsWith('.ts')),
      folder,
    })),
  )

// Otherwise the compiler would check an importer against the last build.
test.each(publishedNames)('the compiler reads $name from its sources', ({ name, source, folder }) => {
  const { resolvedModule } = ts.resolveModuleName(name, path.join(root, 'vitest.config.ts'), options, ts.sys)
  const resolved = resolvedModule && path.relative(root, resolvedModule.resolvedFileName).replaceAll('\\', '/')
  expect(
    resolved,
    `add "${name}" to "paths" in tsconfig.json, and let it be built from a file of its name in ${folder}/src`,
  ).toBe(source)
})
