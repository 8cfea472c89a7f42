import type { Host } from '@skills/core'
import { fakeClock } from './fake-clock.js'

/**
 * Makes a host that is the same on every machine and reads nothing from the process: a Linux user with an empty
 * environment and a clock that does not move. It is the person's own machine, which shows its paths.
 * @param overrides values that matter in the test, such as `cwd`, or a clock that the test advances
 */
export function fakeHost(overrides: Partial<Host> = {}): Host {
  return {
    cwd: '/home/user/project',
    home: '/home/user',
    env: {},
    platform: 'linux',
    uid: 1000,
    sessionId: '00000000-0000-4000-8000-000000000000',
    clock: fakeClock(),
    showsPaths: true,
    ...overrides,
  }
}
