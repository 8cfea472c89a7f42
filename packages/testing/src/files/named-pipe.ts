import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { EndlessEntry } from '../contract/fixture.js'

/**
 * Runs in a thread of its own, since a synchronous read of the pipe may block the main one for ever. A pipe can be
 * opened for writing without waiting only while it has a reader, and closing it then ends what they read.
 */
const watchman = `
  const { closeSync, constants, openSync } = require('node:fs')
  const { path, patienceMs, shared } = require('node:worker_threads').workerData
  const [isOver, held] = [0, 1]
  while (Atomics.wait(shared, isOver, 0, patienceMs) === 'timed-out') {
    try {
      const descriptor = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
      // Before the reader is freed, who may look at it at once.
      Atomics.add(shared, held, 1)
      closeSync(descriptor)
    } catch (error) {
      if (error.code !== 'ENXIO') throw error
    }
  }
`

/**
 * Makes a named pipe without a writer. A reader that still waits after `patienceMs` is freed, and `wasHeld` says so.
 * Not for Windows, which has none.
 * @param path of the pipe; its folder exists
 */
export async function namedPipe(path: string, patienceMs: number): Promise<EndlessEntry> {
  execFileSync('mkfifo', [path])
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(watchman, { eval: true, workerData: { path, patienceMs, shared } })
  await new Promise((resolve, reject) => {
    worker.once('online', resolve)
    worker.once('error', reject)
  })
  const ended = new Promise((resolve, reject) => {
    worker.once('exit', resolve)
    worker.once('error', reject)
  })
  return {
    get wasHeld() {
      return Atomics.load(shared, 1) > 0
    },
    async remove() {
      Atomics.store(shared, 0, 1)
      Atomics.notify(shared, 0)
      await ended
      free(path)
      rmSync(path, { force: true })
    },
  }
}

function free(path: string): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
  } catch (error) {
    // It has no reader, as it should be; or it is gone with its folder.
    if (!(error instanceof Error) || !('code' in error) || (error.code !== 'ENXIO' && error.code !== 'ENOENT'))
      throw error
  }
}
