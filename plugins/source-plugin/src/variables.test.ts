import { spawnSync } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { buildSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { commandOf, engine, loaded, manifest, namesOf, shortly, temporary } from '../test/engine.js'
import type { PluginConfig, PluginSourceOptions } from './plugin-options.js'

const userConfig = {
  region: { type: 'string', description: 'Where.' },
  count: { type: 'number', default: 3 },
  verbose: { type: 'boolean' },
  token: { sensitive: true },
  needed: { required: true },
}

async function withConfig(config: PluginConfig, options: Omit<PluginSourceOptions, 'plugins'> = {}) {
  const { path } = temporary({
    ...manifest('acme', { name: 'acme', version: '1.0.0', userConfig }),
    'acme/skills/a/SKILL.md': 'a',
  })
  const catalog = await engine(path, { plugins: [{ path: 'acme', config }], ...options }).catalog()
  return { path, catalog, command: commandOf(catalog, 'acme:a') }
}

describe('a variable in the body of a skill', () => {
  it("may be the folder of the plugin; any other name is not the plugin's to say", async () => {
    const { path, command } = await withConfig({})
    expect(command.resolveVariable('CLAUDE_PLUGIN_ROOT')).toBe(`${path}/acme`)
    for (const name of ['CLAUDE_SKILL_DIR', 'user_config', 'HOME', 'constructor', '__proto__'])
      expect(command.resolveVariable(name), name).toBeUndefined()
  })

  it('stays as written if the manifest has no such setting and the options say so', async () => {
    const { command } = await withConfig({ needed: 'x' }, { unknownSettings: 'keep' })
    expect(command.resolveVariable('user_config.nothing')).toBeUndefined()
  })

  it('may be a folder of data, made on first use for the user alone, that another version finds again', async () => {
    const tree = temporary({ ...manifest('acme', { name: 'acme', version: '1.0.0' }), 'acme/skills/a/SKILL.md': 'a' })
    const skills = engine(tree.path, { plugins: ['acme'] })
    const folder = `${tree.path}/home/.local/state/skills/plugins/acme`
    const command = commandOf(await skills.catalog(), 'acme:a')
    expect(existsSync(folder)).toBe(false)
    expect(command.resolveVariable('CLAUDE_PLUGIN_DATA')).toBe(folder)
    expect(statSync(folder).mode & (process.platform === 'win32' ? 0 : 0o777)).toBe(
      process.platform === 'win32' ? 0 : 0o700,
    )
    writeFileSync(`${folder}/kept`, 'x')
    tree.write(manifest('acme', { name: 'acme', version: '2.0.0' }))
    const after = commandOf(await skills.refresh(), 'acme:a')
    expect([after.plugin.version, after.resolveVariable('CLAUDE_PLUGIN_DATA'), existsSync(`${folder}/kept`)]).toEqual([
      '2.0.0',
      folder,
      true,
    ])
  })

  it('has its data in the folder that the host names, and nowhere without one', async () => {
    const { path } = temporary({
      'acme/skills/a/SKILL.md': '---\nallowed-tools: Read(${CLAUDE_PLUGIN_DATA}/x)\n---\n',
      file: '',
    })
    const data = async (options: PluginSourceOptions, home: string) =>
      commandOf(await engine(path, { plugins: ['acme'], ...options }, { home }).catalog(), 'acme:a')
    expect((await data({ stateFolder: `${path}/state/` }, '')).resolveVariable('CLAUDE_PLUGIN_DATA')).toBe(
      `${path}/state/plugins/acme`,
    )
    expect((await data({ stateFolder: `${path}/other` }, '')).allowedTools).toEqual([
      `Read(${path}/other/plugins/acme/x)`,
    ])
    expect(existsSync(`${path}/other`)).toBe(false)
    const homeless = await data({}, '')
    expect(() => homeless.resolveVariable('CLAUDE_PLUGIN_DATA')).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION' }),
    )
    const blocked = await data({ stateFolder: `${path}/file/state` }, '')
    expect(() => blocked.resolveVariable('CLAUDE_PLUGIN_DATA')).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION', cause: expect.any(Error) }),
    )
  })

  it('stands for itself in the rules of a skill, and in none that it would break in two', async () => {
    const skill =
      '---\nallowed-tools: Bash(${CLAUDE_SKILL_DIR}/x:*), Bash(${CLAUDE_PLUGIN_ROOT}/y:*), Read(${CLAUDE_PLUGIN_DATA}/z)\n---\n'
    const tools = async (folder: string) => {
      const { path } = temporary({
        ...manifest(`${folder}/acme`, { name: 'acme' }),
        [`${folder}/acme/skills/a/SKILL.md`]: skill,
      })
      const { allowedTools } = commandOf(
        await engine(path, { plugins: [`${folder}/acme`], stateFolder: `${path}/${folder}` }).catalog(),
        'acme:a',
      )
      return allowedTools.map(tool => tool.replaceAll(path, ''))
    }
    expect(await tools('a*b (c)')).toEqual([
      'Bash(/a\\*b \\(c\\)/acme/skills/a/x:*)',
      'Bash(/a\\*b \\(c\\)/acme/y:*)',
      'Read(/a\\*b \\(c\\)/plugins/acme/z)',
    ])
    // The path must not become a rule about `rm *`.
    expect(await tools('pa, rm *, b')).toEqual([
      'Bash(${CLAUDE_SKILL_DIR}/x:*)',
      'Bash(${CLAUDE_PLUGIN_ROOT}/y:*)',
      'Read(${CLAUDE_PLUGIN_DATA}/z)',
    ])
  })

  it.runIf(process.platform === 'linux')('has no data where the system makes no folders', () => {
    const { path } = temporary({ ...manifest('acme', { name: 'acme' }), 'acme/skills/a/SKILL.md': 'a' })
    const contents = `
      import { createSkills, processHost } from '@skills/core'
      import { pluginSource } from '@skills/source-plugin'
      const skills = createSkills({ host: processHost({ cwd: ${JSON.stringify(path)} }), plugins: [pluginSource({ plugins: ['acme'], stateFolder: '/proc/x/y' })], onDiagnostic() {} })
      skills.catalog().then(catalog => catalog.get('acme:a').command.resolveVariable('CLAUDE_PLUGIN_DATA')).then(console.log, error => console.log(error.code, error.message))`
    const {
      outputFiles: [program],
    } = buildSync({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      platform: 'node',
      // CommonJS code with its own loader cannot be bundled.
      mainFields: ['module', 'main'],
      logLevel: 'silent',
      tsconfig: fileURLToPath(new URL('../../../tsconfig.json', import.meta.url)),
    })
    // In a separate process, because a recursive mkdir never ends there and cannot be stopped from inside.
    const { signal, stdout } = spawnSync(process.execPath, ['-'], {
      input: program?.text ?? '',
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    })
    expect({ signal, stdout }).toEqual({
      signal: null,
      stdout: expect.stringMatching(/^E_INVALID_OPTION .*\/proc\/x\/y\/plugins\/acme .*"acme" .*stateFolder/),
    })
  })

  it('may be what the user set, or what the manifest has for it', async () => {
    const { command } = await withConfig({ region: 'north', verbose: false, needed: 'x' })
    expect(['region', 'count', 'verbose'].map(key => command.resolveVariable(`user_config.${key}`))).toEqual([
      'north',
      '3',
      'false',
    ])
  })

  it('never is a sensitive value, and nothing that is printed holds one', async () => {
    const secret = 'do-not-tell'
    const { command, catalog } = await withConfig({ token: secret, needed: 'x' })
    expect(command.resolveVariable('user_config.token')).toBe('[sensitive: token]')
    for (const printed of [
      JSON.stringify([command, command.plugin, catalog.entries, catalog.errors, catalog.warnings]),
      inspect([command, command.plugin], { depth: 9, showHidden: true }),
    ]) {
      expect(printed).toContain('acme')
      expect(printed).not.toContain(secret)
    }
  })

  it('that the plugin does not ask for, or that has no value, is an error', async () => {
    const { command } = await withConfig({})
    for (const key of ['regoin', 'region', 'toString']) {
      expect(() => command.resolveVariable(`user_config.${key}`), key).toThrow(
        expect.objectContaining({ code: 'E_INVALID_SKILL', message: expect.stringContaining(key) }),
      )
    }
    expect(() => command.resolveVariable('user_config.x')).toThrow(
      expect.objectContaining({
        code: 'E_INVALID_SKILL',
        hint: expect.stringContaining('region, count, verbose, token, needed'),
      }),
    )
  })
})

describe('configuration of a plugin', () => {
  it('is checked, and a wrong value counts as none and is not shown', async () => {
    const { catalog, command } = await withConfig({ regoin: 'x', count: 'many-secrets', needed: true })
    expect(catalog.warnings).toMatchObject([
      { code: 'unknown-user-config', field: 'userConfig.regoin', hint: 'Did you mean "region"?' },
    ])
    expect(catalog.errors).toMatchObject([
      { code: 'invalid-user-config', field: 'userConfig.count', message: expect.not.stringContaining('many-secrets') },
    ])
    expect(() => command.resolveVariable('user_config.count')).toThrow(
      expect.objectContaining({ code: 'E_INVALID_SKILL' }),
    )
    expect(shortly((await withConfig({})).catalog.warnings)).toEqual(['missing-user-config userConfig.needed'])
  })

  it('comes to the plugins of a marketplace by their names', async () => {
    const { path } = temporary({
      'm/.claude-plugin/marketplace.json': JSON.stringify({ name: 'm', plugins: [{ name: 'acme', source: './acme' }] }),
      ...manifest('m/acme', { name: 'acme', userConfig }),
      'm/acme/skills/a/SKILL.md': 'a',
    })
    const catalog = await engine(path, {
      marketplaces: [{ path: 'm', config: { acme: { region: 'south' } } }],
    }).catalog()
    expect(commandOf(catalog, 'acme:a').resolveVariable('user_config.region')).toBe('south')
  })
})

describe('a variable among the tools of a skill', () => {
  const skill = (...tools: readonly string[]) =>
    `---\ndescription: x\nallowed-tools:\n${tools.map(tool => `  - ${tool}`).join('\n')}\n---\n`
  const tree = manifest('acme', {
    name: 'acme',
    userConfig: { region: { default: 'north' }, token: { sensitive: true } },
  })

  it('is replaced when the skill is loaded', async () => {
    const catalog = await loaded({
      ...tree,
      'acme/skills/a/SKILL.md': skill(
        'Read',
        'Bash(${CLAUDE_PLUGIN_ROOT}/x.sh:*)',
        'Bash(${CLAUDE_SKILL_DIR}/y.sh ${user_config.region})',
        'Bash(${OTHER})',
      ),
      'acme/commands/b.md':
        '---\nallowed-tools: Bash(${CLAUDE_SKILL_DIR}/z.sh)\ndisallowed-tools: Edit(${CLAUDE_PLUGIN_ROOT}/**)\n---\n',
    })
    expect(commandOf(catalog, 'acme:a').allowedTools).toEqual([
      'Read',
      `Bash(${catalog.path}/acme/x.sh:*)`,
      `Bash(${catalog.path}/acme/skills/a/y.sh north)`,
      'Bash(${OTHER})',
    ])
    expect(commandOf(catalog, 'acme:b')).toMatchObject({
      allowedTools: [`Bash(${catalog.path}/acme/commands/z.sh)`],
      disallowedTools: [`Edit(${catalog.path}/acme/**)`],
    })
  })

  it('that stands for nothing is an error with its line, and so is a sensitive one', async () => {
    const catalog = await loaded({
      ...tree,
      'acme/skills/a/SKILL.md': skill('Bash(${user_config.regoin})'),
      'acme/skills/b/SKILL.md': skill('Bash(${user_config.token})'),
      'acme/skills/c/SKILL.md': 'c',
    })
    expect(shortly(catalog.errors)).toEqual(['unknown-variable allowed-tools:3', 'unknown-variable allowed-tools:3'])
    expect(catalog.errors[0]).toMatchObject({ path: `${catalog.path}/acme/skills/a/SKILL.md`, name: 'acme:a' })
    expect(namesOf(catalog)).toEqual(['acme:c'])
  })

  it('of a command that the manifest describes is no different', async () => {
    const catalog = await loaded({
      ...manifest('acme', {
        name: 'acme',
        commands: { a: { content: 'a', allowedTools: ['Bash(${user_config.x})'] }, b: { content: 'b' } },
      }),
    })
    expect([shortly(catalog.errors), namesOf(catalog)]).toEqual([['unknown-variable commands'], ['acme:b']])
  })
})
