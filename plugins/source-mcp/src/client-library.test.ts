import { expect, it } from 'vitest'
import { clientLibrary, installed } from './client-library.js'

it('says what to install where the client library is not there', async () => {
  const missing = Object.assign(
    new Error("Cannot find package '@modelcontextprotocol/client' imported from /app/main.js"),
    { code: 'ERR_MODULE_NOT_FOUND' },
  )
  await expect(installed(() => Promise.reject(missing))).rejects.toMatchObject({
    code: 'E_MISSING_PROVIDER',
    message: expect.stringContaining('npm install @modelcontextprotocol/client@2'),
    cause: missing,
  })
})

it('hands on what else goes wrong with it', async () => {
  const broken = new Error('It is broken.')
  await expect(installed(() => Promise.reject(broken))).rejects.toBe(broken)
  const other = Object.assign(new Error("Cannot find package 'zod'"), { code: 'ERR_MODULE_NOT_FOUND' })
  await expect(installed(() => Promise.reject(other))).rejects.toBe(other)
  expect(await clientLibrary()).toHaveProperty('Client')
})
