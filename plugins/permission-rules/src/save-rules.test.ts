import { spawn, spawnSync } from 'node:child_process'
import fs, { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { fileURLToPath } from 'node:url'
import { systemClock, type Clock } from '@skills/core'
import { withLock } from '@skills/state'
import { buildSync } from 'esbuild'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asking, entryOf, requestFor, shortly, skill, temporary, type Asking } from '../test/asking.js'
import { saveRules } from './save-rules.js'
import { withoutRoot } from '@skills/testing'
import type { RuleUpdate } from './rule-book.js'

const local = 'localSettings'

async function over(path: string): Promise<Asking> {
  return asking({ files: [{ path, source: local }] })
}

/** Returns the lock file's text as a running process writes it: this process. */
async function lockOf(file: string): Promise<string> {
  return withLock(`${file}.lock`, { clock: systemClock, limitMs: 5000, signal: new AbortController().signal }, () =>
    readFileSync(`${file}.lock`, 'utf8'),
  )
}

/** Makes a clock that moves on at once when a caller waits. */
function instant(): Clock {
  let now = Date.now()
  return {
    now: () => now,
    after: (ms, callback) => {
      now += ms
      const timer = setImmediate(callback)
      return () => clearImmediate(timer)
    },
  }
}

const allow = (...rules: readonly string[]): RuleUpdate => ({ behavior: 'allow', rules, destination: local })

describe('rules of the session', () => {
  it('count from the moment they are added until they are taken away', async () => {
    const asked = await asking()
    asked.rules.addRules({ behavior: 'allow', rules: [{ toolName: 'Skill', ruleContent: 'a' }, 'Skill(b)'] })
    expect(await shortly(asked, requestFor('a'))).toBe('allow Skill(a)')
    asked.rules.addRules({ behavior: 'deny', rules: ['Skill(a)'] })
    expect(await asked.check(requestFor('a'))).toMatchObject({
      behavior: 'deny',
      decisionReason: { source: 'session' },
    })
    asked.rules.removeRules({ behavior: 'deny', rules: ['Skill(a)'] })
    asked.rules.removeRules({ behavior: 'allow', rules: ['Skill(b)'] })
    expect(await Promise.all(['a', 'b'].map(name => shortly(asked, requestFor(name))))).toEqual([
      'allow Skill(a)',
      'ask',
    ])
    expect((await asked.rules.listRules()).map(({ text }) => text)).toEqual(['Skill(a)'])
  })

  it('are refused whole when one does not parse or the destination is unknown', async () => {
    const asked = await asking()
    expect(() => asked.rules.addRules({ behavior: 'deny', rules: ['Skill(a)', 'Bash('] })).toThrow(
      expect.objectContaining({
        code: 'E_INVALID_OPTION',
        message: expect.stringMatching(/"Bash\(" .*\(character 6\)/),
      }),
    )
    expect(() => asked.rules.addRules({ ...allow('Skill'), destination: 'x' })).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION' }),
    )
    await expect(asked.rules.save('x')).rejects.toHaveProperty('code', 'E_INVALID_OPTION')
    expect(await asked.rules.listRules()).toEqual([])
  })

  it('are bound to the source of the command they were accepted for', async () => {
    const asked = await asking()
    const project = entryOf(skill('deploy', { source: 'project' }))
    asked.rules.addRules({ behavior: 'allow', rules: ['Skill(deploy)', 'Skill(deploy:*)', 'Bash(git log)'] }, project)
    expect((await asked.rules.listRules()).map(({ text }) => text)).toEqual([
      'Skill(project:deploy)',
      'Skill(project:deploy:*)',
      'Bash(git log)',
    ])
    expect(await shortly(asked, requestFor(project))).toBe('allow Skill(project:deploy)')
    expect(await shortly(asked, requestFor('deploy')), 'that of the user').toBe('ask')
  })
})

describe('saved rules', () => {
  it('stand in the file, beside what others keep there, written as it was', async () => {
    const before =
      '{\r\n\t"model": "x", "big": 12345678901234567890,\r\n\t"permissions": {\r\n\t\t"defaultMode": "ask",\r\n\t\t"allow": ["Read"]\r\n\t},\r\n\t"z": [ 1,2 ]\r\n}\r\n'
    const { path } = temporary({ 's.json': before })
    const asked = await over(`${path}/s.json`)
    asked.rules.addRules(allow('Skill(a)', 'Read'))
    asked.rules.addRules({ behavior: 'deny', rules: ['Skill(b)'], destination: local })
    expect(readFileSync(`${path}/s.json`, 'utf8')).toBe(before)
    await asked.rules.save(local)
    const after = readFileSync(`${path}/s.json`, 'utf8')
    expect(JSON.parse(after)).toEqual({
      ...JSON.parse(before),
      permissions: { defaultMode: 'ask', allow: ['Read', 'Skill(a)'], deny: ['Skill(b)'] },
    })
    for (const kept of [
      '"model": "x", "big": 12345678901234567890,\r\n',
      '"z": [ 1,2 ]\r\n}\r\n',
      '\r\n\t\t"defaultMode": "ask"',
    ])
      expect(after).toContain(kept)
    expect(after).not.toMatch(/[^\r]\n/)
    expect([
      await shortly(asked, requestFor('a')),
      await shortly(await over(`${path}/s.json`), requestFor('b')),
    ]).toEqual(['allow Skill(a)', 'deny Skill(b)'])
    expect(readdirSync(path)).toEqual(['s.json'])
  })

  it('make a file and its folder that only the user may read', async () => {
    const { path } = temporary()
    const asked = await over(`${path}/a/b/s.json`)
    asked.rules.addRules(allow('Skill(a)'))
    await asked.rules.save(local)
    expect(readFileSync(`${path}/a/b/s.json`, 'utf8')).toBe(
      '{\n  "permissions": {\n    "allow": [\n      "Skill(a)"\n    ]\n  }\n}\n',
    )
    expect([statSync(`${path}/a/b/s.json`).mode & 0o777, statSync(`${path}/a/b`).mode & 0o777]).toEqual([0o600, 0o700])
  })

  it('leave mode, byte order mark and links as they are', async () => {
    const { path } = temporary({
      'real/s.json': { content: '\uFEFF{}', mode: 0o640 },
      's.json': { link: 'real/s.json' },
    })
    const asked = await over(`${path}/s.json`)
    asked.rules.addRules(allow('Skill(a)'))
    await asked.rules.save(local)
    expect([
      lstatSync(`${path}/s.json`).isSymbolicLink(),
      statSync(`${path}/s.json`).mode & 0o777,
      readFileSync(`${path}/real/s.json`, 'utf8').codePointAt(0),
    ]).toEqual([true, 0o640, 0xfeff])
    expect(readdirSync(`${path}/real`)).toEqual(['s.json'])
  })

  it('that were taken away no longer count, at once and in the file', async () => {
    const { path } = temporary({
      's.json': '{"permissions":{"allow":["Skill(a)","Read","Skill(a)"],"deny":["Bash(rm"]}}',
    })
    const asked = await over(`${path}/s.json`)
    asked.rules.removeRules(allow('Skill(a)'))
    asked.rules.removeRules({ behavior: 'deny', rules: ['Bash(rm'], destination: local })
    expect((await asked.rules.listRules()).map(({ text }) => text)).toEqual(['Read'])
    await asked.rules.save(local)
    expect(JSON.parse(readFileSync(`${path}/s.json`, 'utf8'))).toEqual({ permissions: { allow: ['Read'], deny: [] } })
  })

  it('are written into what is there by then, and not over it', async () => {
    const { path } = temporary({ 's.json': '{}' })
    const asked = await over(`${path}/s.json`)
    asked.rules.addRules(allow('Skill(a)'))
    await asked.check(requestFor('a'))
    writeFileSync(`${path}/s.json`, '{"other":1,"permissions":{"allow":["Read"]}}')
    await asked.rules.save(local)
    expect(JSON.parse(readFileSync(`${path}/s.json`, 'utf8'))).toEqual({
      other: 1,
      permissions: { allow: ['Read', 'Skill(a)'] },
    })
  })

  it('are made anew when the file changes while they are written', async () => {
    const { path } = temporary({ 's.json': '{}' })
    let times = 0
    await saveRules({ path: `${path}/s.json` }, [{ does: 'add', behavior: 'allow', text: 'Skill(a)' }], {
      clock: systemClock,
      beforeReplacing: () => {
        if (times++ < 3) writeFileSync(`${path}/s.json`, `{"other":${times}}`)
      },
    })
    expect([times, JSON.parse(readFileSync(`${path}/s.json`, 'utf8'))]).toEqual([
      4,
      { other: 3, permissions: { allow: ['Skill(a)'] } },
    ])
    const endless = saveRules({ path: `${path}/s.json` }, [{ does: 'add', behavior: 'allow', text: 'Skill(b)' }], {
      clock: systemClock,
      beforeReplacing: () => writeFileSync(`${path}/s.json`, `{"other":${times++}}`),
    })
    await expect(endless).rejects.toThrow('changed it at each attempt')
    expect(readdirSync(path)).toEqual(['s.json'])
  })

  it('are not written by a process that stood still until another one took its lock over', async () => {
    const { path } = temporary({ 's.json': '{}' })
    const file = `${path}/s.json`
    const theirs = await lockOf(file)
    const save = saveRules({ path: file }, [{ does: 'add', behavior: 'allow', text: 'Skill(a)' }], {
      clock: systemClock,
      beforeReplacing: () => writeFileSync(`${file}.lock`, theirs),
    })
    await expect(save).rejects.toMatchObject({ code: 'E_STATE', message: expect.stringContaining('was paused') })
    expect([readFileSync(file, 'utf8'), readFileSync(`${file}.lock`, 'utf8')]).toEqual(['{}', theirs])
  })

  it('lose nothing of what others save at the same time', async () => {
    const { path } = temporary({ 's.json': '{"other":1}' })
    const file = `${path}/s.json`
    const save = async (name: string): Promise<void> => {
      for (let at = 0; at < 10; at++)
        await saveRules({ path: file }, [{ does: 'add', behavior: 'allow', text: `Skill(${name}${at})` }], {
          clock: systemClock,
        })
    }
    await Promise.all(['a', 'b', 'c', 'd'].map(save))
    const { other, permissions } = JSON.parse(readFileSync(file, 'utf8'))
    expect([other, permissions.allow.length, new Set(permissions.allow).size]).toEqual([1, 40, 40])
    expect(readdirSync(path)).toEqual(['s.json'])
  })

  it('are not held up by a process that died, and say so when one that lives holds the file', async () => {
    const { path } = temporary({ 's.json': '{}' })
    const file = `${path}/s.json`
    const dead = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
    await once(dead, 'exit')
    const running = await lockOf(file)
    writeFileSync(`${file}.lock`, JSON.stringify({ ...JSON.parse(running), pid: dead.pid }))
    await saveRules({ path: file }, [{ does: 'add', behavior: 'allow', text: 'Skill(a)' }], { clock: systemClock })
    expect(readFileSync(file, 'utf8')).toContain('Skill(a)')

    writeFileSync(`${file}.lock`, running)
    await expect(
      saveRules({ path: file }, [{ does: 'add', behavior: 'allow', text: 'Skill(b)' }], { clock: instant() }),
    ).rejects.toMatchObject({
      code: 'E_STATE',
      message:
        `Another process has been writing ${file} for too long: ${file}.lock has been held by the process ${process.pid} for 5000 ms. ` +
        'Try again. If that process no longer uses the lock, remove the file. Save again later; until then the rules apply only to this session.',
    })
    const given = new AbortController()
    const waiting = saveRules({ path: file }, [{ does: 'add', behavior: 'allow', text: 'Skill(b)' }], {
      clock: systemClock,
      signal: given.signal,
    })
    given.abort()
    await expect(waiting).rejects.toHaveProperty('name', 'AbortError')
    expect(readFileSync(file, 'utf8')).not.toContain('Skill(b)')
    expect(readdirSync(path).toSorted()).toEqual(['s.json', 's.json.lock'])
  })

  it.runIf(process.platform === 'linux')(
    'are not held up by a process that has the number of one that died',
    async () => {
      const { path } = temporary({ 's.json': '{}' })
      const file = `${path}/s.json`
      writeFileSync(`${file}.lock`, JSON.stringify({ ...JSON.parse(await lockOf(file)), start: '1' }))
      await saveRules({ path: file }, [{ does: 'add', behavior: 'allow', text: 'Skill(a)' }], { clock: instant() })
      expect([readFileSync(file, 'utf8').includes('Skill(a)'), readdirSync(path)]).toEqual([true, ['s.json']])
    },
  )

  it('leave a lock to the process that took it over first', async () => {
    const { path } = temporary({ 's.json': '{}' })
    const file = `${path}/s.json`
    const dead = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
    await once(dead, 'exit')
    const theirs = await lockOf(file)
    writeFileSync(`${file}.lock`, JSON.stringify({ ...JSON.parse(theirs), pid: dead.pid }))
    const { openSync } = fs
    const restore = (): void => {
      fs.openSync = openSync
      syncBuiltinESMExports()
    }
    onTestFinished(restore)
    // The moment after the lock of the dead process was read.
    fs.openSync = (opened, ...rest) => {
      if (opened === `${file}.lock.takeover`) {
        restore()
        writeFileSync(`${file}.lock`, theirs)
      }
      return openSync(opened, ...rest)
    }
    syncBuiltinESMExports()
    await expect(
      saveRules({ path: file }, [{ does: 'add', behavior: 'allow', text: 'Skill(a)' }], { clock: instant() }),
    ).rejects.toHaveProperty('code', 'E_STATE')
    expect([readFileSync(`${file}.lock`, 'utf8'), readFileSync(file, 'utf8')]).toEqual([theirs, '{}'])
  })

  it.runIf(process.platform === 'linux')('are refused where the system makes no folders', () => {
    const contents = `
      import { permissionRules } from '@skills/permission-rules'
      const rules = permissionRules({ files: [{ path: '/proc/x/y/s.json', source: 's' }] })
      rules.addRules({ behavior: 'allow', rules: ['Skill(a)'], destination: 's' })
      rules.save('s').then(() => console.log('saved'), error => console.log(error.code, error.message))`
    const {
      outputFiles: [program],
    } = buildSync({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      platform: 'node',
      mainFields: ['module', 'main'],
      logLevel: 'silent',
      tsconfig: fileURLToPath(new URL('../../../tsconfig.json', import.meta.url)),
    })
    // Runs in a process of its own, which a timeout can end: a recursive mkdir never ends there.
    const { signal, stdout } = spawnSync(process.execPath, ['-'], {
      input: program?.text ?? '',
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    })
    expect({ signal, stdout }).toEqual({
      signal: null,
      stdout: expect.stringMatching(/^E_STATE .* \/proc\/x\/y\/s\.json .*: .*\/proc\/x.*\n$/),
    })
  })

  it('leave a file alone that is nested beyond all bounds', async () => {
    const text = `{"other":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const { path } = temporary({ 's.json': text })
    const save = saveRules({ path: `${path}/s.json` }, [{ does: 'add', behavior: 'allow', text: 'Skill(a)' }], {
      clock: systemClock,
    })
    await expect(save).rejects.toMatchObject({
      code: 'E_STATE',
      message: expect.stringMatching(new RegExp(`${path}/s\\.json, .* 100 levels`)),
    })
    expect(readFileSync(`${path}/s.json`, 'utf8')).toBe(text)
  })

  it('leave a file alone that is corrupt, and still count', async () => {
    for (const text of [
      '{',
      '',
      '[]',
      '{"permissions":{"allow":"x"}}',
      '{"permissions":null}',
      '{"permissions":{"allow":["a"]},"permissions":{"deny":["b"]}}',
      '{"permissions":7}',
    ]) {
      const { path } = temporary({ 's.json': text })
      const asked = await over(`${path}/s.json`)
      asked.rules.addRules(allow('Skill(a)'))
      asked.rules.addRules({ behavior: 'deny', rules: ['Skill(b)'], destination: local })
      await expect(asked.rules.save(local), text).rejects.toMatchObject({
        code: 'E_STATE',
        message: expect.stringContaining(`${path}/s.json`),
      })
      expect(readFileSync(`${path}/s.json`, 'utf8'), text).toBe(text)
      expect(readdirSync(path), text).toEqual(['s.json'])
      expect((await asked.check(requestFor('b'))).behavior, text).toBe('deny')
      writeFileSync(`${path}/s.json`, '{}')
      await asked.rules.save(local)
      expect(JSON.parse(readFileSync(`${path}/s.json`, 'utf8'))).toEqual({
        permissions: { allow: ['Skill(a)'], deny: ['Skill(b)'] },
      })
    }
  })

  it('say that a file or its folder is read-only, and stay to be saved', async () => {
    const { path } = temporary({
      'file/s.json': { content: '{}', mode: 0o444 },
      file: { dir: true, mode: 0o777 },
      'folder/s.json': '{}',
      folder: { dir: true, mode: 0o555 },
      'shut/s.json': { content: '{}', mode: 0o000 },
      missing: { dir: true, mode: 0o555 },
    })
    chmodSync(path, 0o755)
    const outcomes = await withoutRoot(async () => {
      const found: string[] = []
      for (const name of ['file/s', 'folder/s', 'shut/s', 'missing/deep/s']) {
        const asked = await over(`${path}/${name}.json`)
        asked.rules.addRules(allow('Skill(a)'))
        found.push(
          await asked.rules.save(local).then(
            () => 'saved',
            (error: { code: string; message: string }) => `${error.code} ${error.message.replaceAll(path, '')}`,
          ),
        )
      }
      return found
    })
    const hint = 'and save again; until then the rules apply only to this session.'
    expect(outcomes).toEqual([
      `E_STATE The settings file /file/s.json cannot be written: the file or its folder is read-only. Change the permissions, ${hint}`,
      expect.stringContaining('/folder/s.json cannot'),
      expect.stringContaining('E_STATE The settings file /shut/s.json'),
      expect.stringContaining('/missing/deep/s.json cannot'),
    ])
    expect(readFileSync(`${path}/file/s.json`, 'utf8')).toBe('{}')
    expect(existsSync(`${path}/missing/deep`)).toBe(false)
  })

  it('read again as they were added, with any characters in a rule', async () => {
    const rule = fc
      .string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u2028', '𝄞', '/', '*', '{', ',') })
      .filter(text => text.trim() !== '')
    const { path } = temporary()
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(rule, { maxLength: 4 }), fc.json(), async (contents, foreign) => {
        const file = `${path}/${count++}.json`
        const before = `{"foreign": ${foreign}}`
        writeFileSync(file, before)
        const changes = contents.map(
          text =>
            ({ does: 'add', behavior: 'ask', text: `Bash(${text.replace(/[\\()*]/g, String.raw`\$&`)})` }) as const,
        )
        await saveRules({ path: file }, changes, { clock: systemClock })
        const after = JSON.parse(readFileSync(file, 'utf8'))
        expect(after.foreign).toEqual(JSON.parse(before).foreign)
        expect(after.permissions?.ask ?? []).toEqual(changes.map(({ text }) => text))
        await saveRules(
          { path: file },
          changes.map(change => ({ ...change, does: 'remove' }) as const),
          { clock: systemClock },
        )
        expect(JSON.parse(readFileSync(file, 'utf8')).permissions?.ask ?? []).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})
