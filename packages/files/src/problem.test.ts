import { describe, expect, it } from 'vitest'
import { ioProblem, systemCode } from './problem.js'

function failed(code: string): Error {
  return Object.assign(new Error(`${code}: failed`), { code })
}

describe('the entry of a failed system call', () => {
  it.each(['EACCES', 'EPERM', 'ELOOP', 'ENOTDIR', 'ENAMETOOLONG', 'EMFILE', 'EIO'])(
    'is a sentence of its own for %s',
    code => {
      const { message, ...problem } = ioProblem('The file', '/a/b', failed(code))
      expect(problem).toEqual({
        severity: 'error',
        type: 'io',
        code: 'unreadable',
        path: '/a/b',
        hint: expect.stringMatching(/\.$/),
      })
      expect(message).toMatch(/^The file \/a\/b [^()]+\.$/)
    },
  )

  it('names the code of any other, and what else was thrown', () => {
    expect(ioProblem('The file', '/a/b', failed('EBUSY')).message).toBe('The file /a/b could not be read (EBUSY).')
    expect(ioProblem('The file', '/a/b', new Error('reader broke')).message).toMatch(
      /^The file \/a\/b .*: reader broke\.$/,
    )
  })

  it('knows a system code from other properties', () => {
    expect(systemCode(failed('EIO'))).toBe('EIO')
    expect(systemCode(Object.assign(new Error('x'), { code: 5 }))).toBeUndefined()
    expect(systemCode({ code: 'EIO' })).toBeUndefined()
    expect(systemCode(undefined)).toBeUndefined()
  })
})
