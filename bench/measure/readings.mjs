// node bench/measure/readings.mjs TREE [MODULES]: prints every field and diagnostic of all skills of a tree, as each
// way of reading gives them, one a line. To compare two builds, compare their outputs: MODULES is a `node_modules`
// folder of the other build's bench.
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { join, resolve } from 'node:path'

const [tree, modules] = process.argv.slice(2)
const require = createRequire(modules === undefined ? import.meta.url : pathToFileURL(join(resolve(modules), 'x.js')))
const load = async (name, file = 'index') =>
  import(
    pathToFileURL(
      modules === undefined
        ? require.resolve(`@skills/${name}/${file}`.replace(/\/index$/, ''))
        : join(resolve(modules), '@skills', name, `dist/${file}.js`),
    ).href
  )
const { createSkills, systemClock } = await load('core')
const { fileSource } = await load('files', 'source')

const layouts = {
  usual: {},
  commands: { holds: 'commands' },
  lines: {
    dialect: 'lines',
    fields: { booleans: 'only-true', toolSeparator: 'bare-comma' },
    fallback: { from: 'nothing', otherwise: '' },
  },
  colons: { dialect: 'colons', required: ['name', 'description'], names: 'field', fallback: { from: 'heading' } },
  strict: {
    fields: { limitSeverity: 'error', lengthIn: 'bytes', booleans: 'only-false', toolSeparator: 'comma' },
    bodyBytes: 20_000,
  },
  few: { fields: { only: ['name', 'description', 'license', 'metadata'] }, required: ['name'], hides: 'all' },
  own: { fields: { limits: { description: 100 } } },
  unnamed: { fields: { only: ['description', 'allowed-tools'] } },
}
const { signal } = new AbortController()
for (const [name, layout] of Object.entries(layouts)) {
  for (const sidecars of name === 'usual' ? [false, true] : [false]) {
    const skills = createSkills({
      host: { cwd: tree, home: '/nonexistent', env: {}, clock: systemClock },
      onDiagnostic: () => {},
      plugins: [
        fileSource({
          id: 'files',
          source: 'project',
          layout,
          roots: () => ({ roots: [{ path: join(tree, '.claude/skills'), hasSidecars: sidecars }] }),
        }),
      ],
    })
    const { entries, collisions, errors, warnings } = await skills.catalog()
    const print = (what, value) =>
      console.log(
        `${name} ${sidecars} ${what} ${JSON.stringify(value, (key, inner) => (['dev', 'ino', 'mtimeMs', 'ctimeMs'].includes(key) ? undefined : inner))}`,
      )
    for (const { command } of entries) {
      print('skill', command)
      if (name === 'commands' || name === 'own') continue
      try {
        const { template } = await command.load('', { signal })
        print('body', [
          command.name,
          createHash('sha256').update(template).digest('hex'),
          await command.digest({ signal }),
          await command.snapshot({ signal }),
        ])
      } catch (error) {
        print('body', [command.name, error.code, error.message, error.hint])
      }
    }
    print('collisions', collisions.length)
    for (const one of [...errors, ...warnings]) print('diagnostic', one)
    await skills.close()
  }
}
