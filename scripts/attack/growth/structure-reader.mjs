// @ts-check
import { archiveStore } from '@skills/store/archive'
import { findSkills, readSkill } from '@skills/install'

/**
 * Reads an archive as an installation does: finds its skills, and reads each of their files.
 * @param {Buffer} bytes
 * @returns {Promise<{ readonly ms: number, readonly turnMs: number, readonly mib: number, readonly odd: string | undefined }>}
 *   processor time of all, the longest time between two turns of the process, memory, and a failure that has no code
 */
export async function readStructure(bytes) {
  const root = 'x!'
  const { signal } = new AbortController()
  let turnMs = 0
  let last = processorMs()
  let isOver = false
  const turn = () => {
    const now = processorMs()
    turnMs = Math.max(turnMs, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const start = last
  const memory = process.memoryUsage().rss
  let mib = 0
  /** @type {string | undefined} */
  let odd
  try {
    const store = archiveStore({ bytes, root })
    const found = await findSkills({ store, root, name: 'x' }, signal)
    for (const { path } of found.slice(0, 200))
      await readSkill(store, path === '' ? root : `${root}/${path}`, { signal }).catch(refusal)
  } catch (error) {
    refusal(error)
  } finally {
    isOver = true
    mib = Math.round((process.memoryUsage().rss - memory) / 1024 ** 2)
  }
  return { ms: processorMs() - start, turnMs, mib, odd }

  /** @param {unknown} error */
  function refusal(error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!/^E_[A-Z_]+$/.test(code)) odd ??= String(error)
  }
}

/**
 * Returns milliseconds of processor time of this process, threads included; other work on the machine does not count.
 */
function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
