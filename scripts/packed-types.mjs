// @ts-check
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { root } from '../packages/config/workspace.mjs'

/**
 * @typedef {object} Packed
 * @property {string} folder of the package in the repository, relative to its root
 * @property {any} manifest as it stands in the repository
 * @property {readonly { readonly path: string, readonly text: string }[]} files of the tarball, relative to the package
 */

/**
 * Returns, by package name, the type errors that users of the packages get from their types with `skipLibCheck` off.
 * Each package is given what npm installs by itself, so no optional peer is there.
 * @param {readonly Packed[]} packages
 * @param {string} project an empty folder, absolute
 * @param {ReadonlyMap<string, readonly string[]>} optional by package name, optional peers that its users have in any
 *   case
 * @returns {ReadonlyMap<string, readonly string[]>}
 */
export function typeErrorsOf(packages, project, optional) {
  const modules = path.join(realpathSync(project), 'node_modules')
  for (const { folder, manifest, files } of packages) {
    const target = path.join(modules, manifest.name)
    for (const file of files) {
      mkdirSync(path.dirname(path.join(target, file.path)), { recursive: true })
      writeFileSync(path.join(target, file.path), file.text)
    }
    for (const name of [...installedWith(manifest), ...(optional.get(manifest.name) ?? [])])
      link(path.join(root, folder, 'node_modules', name), path.join(target, 'node_modules', name))
  }
  link(path.join(root, 'node_modules/@types/node'), path.join(modules, '@types/node'))
  const main = path.join(modules, '..', 'main.ts')
  writeFileSync(
    main,
    packages
      .flatMap(({ manifest }) => entriesOf(manifest))
      .map(entry => `import ${JSON.stringify(entry)}\n`)
      .join(''),
  )
  const program = ts.createProgram([main], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    exactOptionalPropertyTypes: true,
    lib: ['lib.es2023.d.ts'],
    noEmit: true,
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [path.join(modules, '@types')],
  })
  /** @type {Map<string, string[]>} */
  const errors = new Map()
  for (const { file, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
    const [, name, inside] = /\/node_modules\/(@skills\/[^/]+)\/(.*)/.exec(file?.fileName ?? '') ?? []
    const text = ts.flattenDiagnosticMessageText(messageText, ' ')
    // Errors in the types of other libraries cannot be fixed here.
    if (file === undefined || name === undefined || inside?.startsWith('node_modules/')) {
      if (file === undefined || file.fileName === main)
        throw new Error(`The packed types could not be checked: ${text}`)
      continue
    }
    errors.set(name, [
      ...(errors.get(name) ?? []),
      `types: ${inside}:${file.getLineAndCharacterOfPosition(start).line + 1}: ${text}`,
    ])
  }
  return errors
}

/** @param {any} manifest */
function installedWith({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter(name => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys(dependencies), ...peers].filter(name => !name.startsWith('@skills/'))
}

/** @param {any} manifest */
function entriesOf({ name, exports = {} }) {
  return Object.entries(exports)
    .filter(([, target]) => target?.types !== undefined)
    .map(([entry]) => path.posix.join(name, entry))
}

/**
 * @param {string} from
 * @param {string} to
 */
function link(from, to) {
  mkdirSync(path.dirname(to), { recursive: true })
  symlinkSync(realpathSync(from), to, 'junction')
}
