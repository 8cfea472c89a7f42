import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { exportedSources, root, workspacePackages } from '../workspace.mjs'

/** Export of a package that takes options, according to the name of their type. */
interface Taker {
  /** Title, such as `createSkills of @skills/core`. */
  readonly title: string
  readonly name: string
  readonly file: string
  /** Index of the options among its parameters. */
  readonly at: number
  readonly options: readonly string[]
  readonly isClass: boolean
}

/** Exported function, or class. A class with `open()` has a constructor for its own use only. */
type Exported = ((...given: unknown[]) => unknown) & { readonly open?: (...given: unknown[]) => unknown }

/** Functions called for each file, skill, entry or call. Their options are checked where they come from. */
const ofOneCall: Readonly<Record<string, readonly string[]>> = {
  '@skills/core': ['withDeadline'],
  '@skills/skill-md': ['readFields', 'skillSchema', 'parseFrontmatter', 'parseHead', 'parseYaml', 'readHead'],
  '@skills/files': ['readWholeFile', 'readWholeFileSync', 'SkillTree'],
  // Passed to the distribution, which checks them.
  '@skills/host': ['openSkills'],
  '@skills/inspect': ['auditSkill', 'filesBeside', 'findSkillFiles', 'skillSearch'],
  '@skills/invocation': ['askPermission'],
  '@skills/invocation/skill-tool': ['skillReminder', 'searchIndex'],
  '@skills/rules': ['parseRule'],
  '@skills/state': ['withLock', 'openState'],
  '@skills/state/writer': ['Root'],
  '@skills/expansion': ['findEmbeddedCommands', 'quotedReferences'],
  '@skills/testing': ['fileStore', 'tempTree'],
  '@skills/distributions/configuration': ['joinedOptions', 'consentItems'],
  '@skills/distributions/internal': ['settingsConsent'],
  // Passed to permissionRules(), which checks them.
  '@skills/distributions/permissions': ['standardPermissions'],
  '@skills/distributions/trust': ['trustFolder', 'openState'],
  // Those of pluginSource(), which checks them.
  '@skills/source-plugin/internal': ['manifestTexts', 'pluginServers'],
  '@skills/trust': ['trustFolder'],
}

/** Functions that check the names of their options, and pass the values on to be checked. */
const namesAlone = / of @skills\/(core|distributions|host|testing)|^(Conversation|converse) of /

/** Options that take a value of any type. */
const anyValue: ReadonlySet<string> = new Set(['chatRoute.model'])

const takers = findTakers()
const checked = takers.filter(
  ({ title, name }) => ofOneCall[title.slice(`${name} of `.length)]?.includes(name) !== true,
)

describe('every option object', () => {
  test('is found', () => {
    expect(checked.length).toBeGreaterThanOrEqual(60)
    const exempt = Object.entries(ofOneCall).flatMap(([entry, names]) => names.map(name => `${name} of ${entry}`))
    expect(exempt.filter(title => !takers.some(one => one.title === title))).toEqual([])
  })

  test.each(checked.filter(({ title }) => !namesAlone.test(title)))(
    'of $title says of each option that a value of no type is none of its own',
    async ({ name, file, at, options, isClass }) => {
      const make = await makerOf({ name, file, at, isClass })
      const messages = await Promise.all(
        options
          .filter(option => !anyValue.has(`${name}.${option}`))
          .map(async option =>
            make({ [option]: Symbol('wrong') }).then(() => `The option "${option}" takes anything.`, String),
          ),
      )
      expect(
        messages.filter(
          message =>
            !/^SkillsError: The option "\w+" of .* is Symbol\(wrong\)\. It must be |^SkillsError: .* with the \w+ .* has no option /.test(
              message,
            ),
        ),
      ).toEqual([])
    },
  )

  test.each(checked)(
    'of $title refuses an option that it does not have, with the closest name',
    async ({ name, file, at, options, isClass }) => {
      const make = await makerOf({ name, file, at, isClass })
      // At least four letters, so that the misspelling is close to it.
      const known = options.find(option => option.length > 4) ?? options[0] ?? ''
      await expect(make({ [`${known.slice(0, 2)}${known.slice(3)}`]: 1 })).rejects.toMatchObject({
        code: 'E_INVALID_OPTION',
        message: expect.stringMatching(/ has no option ".*"/) as string,
      })
    },
  )
})

/** Returns a function that calls it with options, and without the parameters before them. */
async function makerOf({
  name,
  file,
  at,
  isClass,
}: Pick<Taker, 'name' | 'file' | 'at' | 'isClass'>): Promise<(options: object) => Promise<unknown>> {
  const exported = ((await import(pathToFileURL(file).href)) as Readonly<Record<string, Exported>>)[name]
  return async options => {
    const given = [...Array.from({ length: at }, () => undefined), options]
    return (
      exported?.open?.(...given) ?? (isClass && exported ? Reflect.construct(exported, given) : exported?.(...given))
    )
  }
}

function findTakers(): readonly Taker[] {
  const entries = workspacePackages()
    .filter(({ folder, manifest }) => /^(packages|plugins)\//.test(folder) && !manifest.private)
    .flatMap(({ directory, manifest }) =>
      exportedSources(manifest).map(({ subpath, source }) => ({
        entry: `${manifest.name}${subpath.slice(1)}`,
        file: path.join(directory, source),
      })),
    )
  const files = entries.filter(({ file }) => existsSync(file))
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  )
  const program = ts.createProgram(
    files.map(({ file }) => file),
    { ...options, noEmit: true },
  )
  const checker = program.getTypeChecker()
  return files.flatMap(({ entry, file }) => {
    const source = program.getSourceFile(file)
    const symbol = source && checker.getSymbolAtLocation(source)
    return symbol === undefined
      ? []
      : checker
          .getExportsOfModule(symbol)
          .flatMap(exported =>
            takersOf(checker, exported).map(taker => ({ ...taker, title: `${taker.name} of ${entry}`, file })),
          )
  })
}

function takersOf(checker: ts.TypeChecker, exported: ts.Symbol): readonly Omit<Taker, 'title' | 'file'>[] {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const { valueDeclaration } = symbol
  if (valueDeclaration === undefined) return []
  const type = checker.getTypeOfSymbolAtLocation(symbol, valueDeclaration)
  const constructed = type.getConstructSignatures()
  const signature = type.getCallSignatures()[0] ?? constructed[0]
  return (signature?.getParameters() ?? []).flatMap((parameter, at) => {
    const given = checker.getTypeOfSymbolAtLocation(parameter, parameter.valueDeclaration ?? valueDeclaration)
    const declared =
      parameter.valueDeclaration && ts.isParameter(parameter.valueDeclaration)
        ? parameter.valueDeclaration.type
        : undefined
    if (
      (!/Options\b/.test(checker.typeToString(given)) && !/^\w*Options$/.test(declared?.getText() ?? '')) ||
      checker.isArrayLikeType(given)
    )
      return []
    const shapes = given.isUnion() ? given.types : [given]
    const options = [...new Set(shapes.flatMap(shape => shape.getProperties().map(property => property.name)))]
    return [{ name: exported.name, at, options, isClass: constructed.length > 0 }]
  })
}
