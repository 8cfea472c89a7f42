import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { allowed, expectGroupGone, membersOf, pipe, shell } from '../../test/shell.js'

describe('an abort', () => {
  it('before anything leaves nothing asked and nothing begun', async () => {
    const { expand, tree, asked } = await shell({ signal: AbortSignal.abort() })
    await expect(expand('!`touch ran`')).rejects.toMatchObject({ name: 'AbortError' })
    expect(asked).toEqual([])
    expect(readdirSync(tree.path)).toEqual([])
  })

  it('while the policy is asked begins nothing', async () => {
    const controller = new AbortController()
    const { expand, tree, asked } = await shell({
      signal: controller.signal,
      async forbids() {
        controller.abort()
        return undefined
      },
    })
    await expect(expand('!`touch ran`')).rejects.toMatchObject({ name: 'AbortError' })
    expect(asked).toEqual([])
    expect(readdirSync(tree.path)).toEqual([])
  })

  it('while permission is asked for begins nothing', async () => {
    const controller = new AbortController()
    const { expand, tree } = await shell({
      signal: controller.signal,
      async authorize() {
        controller.abort()
        return allowed
      },
    })
    await expect(expand('!`touch ran`')).rejects.toMatchObject({ name: 'AbortError' })
    expect(readdirSync(tree.path)).toEqual([])
  })

  it('right behind the permission leaves nothing running', async () => {
    const controller = new AbortController()
    const { expand, tree } = await shell({
      signal: controller.signal,
      async authorize() {
        setImmediate(() => controller.abort())
        return allowed
      },
    })
    const { path } = pipe(tree)
    await expect(expand(`!\`sleep 1000 >${path}\``)).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('ends what runs with all that it started, before the invocation hears of it', async () => {
    const controller = new AbortController()
    const { expand, tree, clock } = await shell({ signal: controller.signal, onError: 'inline' })
    const { path, line, ended } = pipe(tree)
    const expanding = expand(`!\`exec 9>${path}; (sleep 1000; true) & echo $$ >&9; sleep 1000\``)
    const group = await line()
    expect(membersOf(group).length).toBeGreaterThanOrEqual(2)
    controller.abort()
    await expect(expanding).rejects.toMatchObject({ name: 'AbortError' })
    await ended()
    await expectGroupGone(group)
    expect(clock.pending).toBe(0)
  })

  it('ends what shuts its ears too', async () => {
    const controller = new AbortController()
    const { expand, tree, clock } = await shell({ signal: controller.signal })
    const { path, line, ended } = pipe(tree)
    const expanding = expand(`!\`exec 9>${path}; trap "" TERM; (sleep 1000; true) & echo $$ >&9; sleep 1000\``)
    expanding.catch(() => undefined)
    const group = await line()
    controller.abort()
    await clock.advance(999)
    expect(membersOf(group).length).toBeGreaterThanOrEqual(2)
    await clock.advance(1)
    await expect(expanding).rejects.toMatchObject({ name: 'AbortError' })
    await ended()
    await expectGroupGone(group)
  })

  it('between two commands begins no second one', async () => {
    const controller = new AbortController()
    let asked = 0
    const { expand, tree } = await shell({
      signal: controller.signal,
      async authorize() {
        asked += 1
        return allowed
      },
    })
    const { path, line } = pipe(tree)
    const expanding = expand(`!\`echo one >${path}; sleep 1000\`\n!\`touch ran\``)
    await line()
    controller.abort()
    await expect(expanding).rejects.toMatchObject({ name: 'AbortError' })
    expect(asked).toBe(1)
    expect(readdirSync(tree.path)).toEqual(['pipe'])
  })
})

describe('closing', () => {
  it('ends what runs and waits until it is gone', async () => {
    const { expand, tree, close } = await shell()
    const { path, line, ended } = pipe(tree)
    const expanding = expand(`!\`exec 9>${path}; (sleep 1000; true) & echo $$ >&9; sleep 1000\``)
    expanding.catch(() => undefined)
    const group = await line()
    await close()
    await ended()
    await expectGroupGone(group)
    await expect(expanding).rejects.toMatchObject({ name: 'AbortError' })
    await expect(expand('!`date`')).rejects.toMatchObject({ name: 'AbortError' })
  })
})
